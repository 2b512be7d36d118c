import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { ErrorAnswer } from '../error-answer.ts';
import { type TransferKind, transferKinds } from './transfer-words.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Chosen by the client for changes that are undone together, such as the deletion of a selection. */
export const UndoId = Type.String({ minLength: 8, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });

/** What a change did with an item. */
export const changeKinds = ['delete', 'rename', 'move', 'replace'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** An item that a call refused, and why. */
export const RefusedItem = Type.Object({ name: text, linkUri: optional(text), itemId: optional(text), error: ErrorAnswer });
export type RefusedItem = Static<typeof RefusedItem>;

export const Undone = Type.Object({
  /** Items that are as they were before. */
  undone: Type.Integer(),
  /** Items that have changed since or cannot be brought back; at most a hundred are named. */
  refused: Type.Array(RefusedItem),
  refusedTotal: Type.Integer(),
  /** Undoes the undo: present where files that were replaced have come back, and their newer contents can too. */
  redoId: optional(text),
  /** Present where a transfer is being undone: its progress tells the result. */
  transferId: optional(text),
});
export type Undone = Static<typeof Undone>;

export const undoChange = call({
  method: 'POST',
  path: '/rest/content/undo',
  input: Type.Object({ undoId: text, rTag }),
  reply: Undone,
  rTag: 'required',
  summary: 'Reverses a change at its source, without a byte through Sheaf; refuses items that have changed since.',
});

/** Changes with one undoId, or a transfer that has ended. */
export const RecentChange = Type.Object({
  undoId: text,
  kind: Type.Unsafe<ChangeKind | TransferKind>({ type: 'string', enum: [...new Set([...changeKinds, ...transferKinds])] }),
  /** Present for a transfer. */
  transferId: optional(text),
  /** Number of items. */
  items: Type.Integer(),
  /** How many of them are as they were before. */
  undone: Type.Integer(),
  /** How many can still be brought back. */
  undoable: Type.Integer(),
  /** One of them, by its name before the change. */
  name: text,
  /** Folder to which a transfer took it: link name and path, as shown. */
  toFolder: optional(text),
  /** The transfer is being undone. */
  undoing: optional(Type.Boolean()),
  /** Its name afterwards, where the change gave it another. */
  newName: optional(text),
  /** The link, and the folder of that item in it. */
  linkName: text,
  sourceType: optional(text),
  folderUri: text,
  folderPath: text,
  /** Bytes, as far as known. */
  size: optional(Type.Integer()),
  /** Epoch seconds. */
  at: Type.Integer(),
  /** Until when it can be undone; absent when it cannot. */
  until: optional(Type.Integer()),
});
export type RecentChange = Static<typeof RecentChange>;

/** Changes after which the list ends. */
export const mostChanges = 1000;
export const listChanges = call({
  method: 'GET',
  path: '/rest/content/changes',
  input: Type.Object({
    offset: Type.Integer({ minimum: 0, maximum: mostChanges, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  }),
  reply: Type.Object({ changes: Type.Array(RecentChange), hasMore: Type.Boolean() }),
  summary: 'Changes that the user made, and their transfers that have ended, the newest first; of those of schedules the transfers tell.',
});

/** `source`: the source's own bin. `hidden`: a folder that Sheaf keeps at the source. `none`: deletions are final. */
export const binKinds = ['source', 'hidden', 'none'] as const;
export type BinKind = (typeof binKinds)[number];

export const BinItem = Type.Object({
  itemId: text,
  name: text,
  fileType: Type.Union([Type.Literal('FOLDER'), Type.Literal('FILE')]),
  /** Bytes; absent for folders and when unknown. */
  size: optional(Type.Integer()),
  /** Names of the folders in which it was, where known. */
  folderPath: optional(text),
  /** Epoch seconds. */
  deletedAt: optional(Type.Integer()),
  /** Epoch seconds until which it is kept, where known. */
  until: optional(Type.Integer()),
  /** A file that was replaced: bringing it back puts the one that has its name into the bin. */
  replaced: optional(Type.Literal(true)),
  /** Who deleted or replaced it, where that is known and may be told. */
  deletedBy: optional(text),
});
export type BinItem = Static<typeof BinItem>;

export const BinContents = Type.Object({
  bin: Type.Unsafe<BinKind>({ type: 'string', enum: [...binKinds] }),
  items: Type.Array(BinItem),
  /** Where the next page begins; absent after the last one. */
  cursor: optional(text),
  /** Number of items, where known. */
  total: optional(Type.Integer()),
  /** Bytes of the files in a hidden bin, which count towards the storage. Those of files in deleted folders are not known. */
  bytes: optional(Type.Integer()),
  /** Days for which a hidden bin keeps items. */
  days: optional(Type.Integer()),
  /** Whether items can be deleted for ever. */
  canPurge: Type.Boolean(),
});
export type BinContents = Static<typeof BinContents>;

const BinOf = { linkUri: text, memberOid: optional(text), rTag };
const ItemIds = Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { maxItems: 1000 });
const BinResult = Type.Object({ done: Type.Integer(), refused: Type.Array(RefusedItem) });

export const binList = call({
  method: 'POST',
  path: '/rest/content/bin_list',
  input: Type.Object({
    ...BinOf,
    cursor: optional(Type.String({ maxLength: 2000 })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
  }),
  reply: BinContents,
  summary: "What is in the bin of a link: the source's own bin, or Sheaf's hidden one.",
});
export const binRestore = call({
  method: 'POST',
  path: '/rest/content/bin_restore',
  input: Type.Object({ ...BinOf, itemId: ItemIds }),
  reply: BinResult,
  rTag: 'required',
  summary: 'Moves items of the bin back to where they were.',
});
export const binPurge = call({
  method: 'POST',
  path: '/rest/content/bin_purge',
  input: Type.Object({ ...BinOf, itemId: Type.Optional(ItemIds), all: Type.Boolean({ default: false }) }),
  reply: BinResult,
  rTag: 'required',
  summary: 'Deletes items of the bin for ever: some, or all that the user may see.',
});

const Versioned = { linkUri: text, memberOid: optional(text) };
export const KeptVersion = Type.Object({
  versionId: text,
  /** Bytes, where known. */
  size: optional(Type.Integer()),
  /** Epoch seconds, where known. */
  modified: optional(Type.Integer()),
});
export type KeptVersion = Static<typeof KeptVersion>;

export const versionList = call({
  method: 'GET',
  path: '/rest/content/versions',
  input: Type.Object(Versioned),
  reply: Type.Object({
    /** Whether the source keeps earlier contents of files and tells them. */
    kept: Type.Boolean(),
    /** Whether the user may make one the present content. */
    canRestore: Type.Boolean(),
    versions: Type.Array(KeptVersion),
  }),
  summary: 'Earlier contents of a file that its source keeps, the newest first and without the present one. Not told inside of Spaces.',
});
export const versionRestore = call({
  method: 'POST',
  path: '/rest/content/version_restore',
  input: Type.Object({ ...Versioned, versionId: Type.String({ minLength: 1, maxLength: 2000 }), undoId: optional(UndoId), rTag }),
  reply: Type.Object({ undoId: optional(text) }),
  rTag: 'required',
  summary: 'Makes an earlier content of a file the present one, at its source; that which it replaces comes back with undo.',
});

/** Most days for which a hidden bin keeps items. */
export const mostBinDays = 365;
export const usualBinDays = 30;
export const getBinSetting = call({
  method: 'GET',
  path: '/rest/content/bin_setting',
  input: Type.Object({}),
  reply: Type.Object({ days: Type.Integer() }),
  summary: 'For how many days hidden bins of the own links keep deleted items.',
});
export const setBinDays = call({
  method: 'POST',
  path: '/rest/content/set_bin_days',
  input: Type.Object({ days: Type.Integer({ minimum: 0, maximum: mostBinDays }), rTag }),
  reply: Type.Object({ days: Type.Integer() }),
  rTag: 'required',
  summary: 'Changes for how many days hidden bins keep items deleted from now on; 0 deletes at once.',
});
