import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { ErrorAnswer } from '../error-answer.ts';
import { type TransferKind, transferKinds } from './transfer-words.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Chosen by the client; groups changes that are undone together, such as the deletion of a selection. */
export const UndoId = Type.String({ minLength: 8, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });

/** Effect of a change on an item. */
export const changeKinds = ['delete', 'rename', 'move', 'replace'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** An item that a call refused, and why. */
export const RefusedItem = Type.Object({ name: text, linkUri: optional(text), itemId: optional(text), error: ErrorAnswer });
export type RefusedItem = Static<typeof RefusedItem>;

export const Undone = Type.Object({
  /** Number of items restored to their previous state. */
  undone: Type.Integer(),
  /** Items that have changed since or cannot be restored; names at most a hundred. */
  refused: Type.Array(RefusedItem),
  refusedTotal: Type.Integer(),
  /** Undoes the undo; present if replaced files were restored and their newer contents can be restored too. */
  redoId: optional(text),
  /** Present while a transfer is being undone; its progress shows the result. */
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
  /** How many of them have been restored. */
  undone: Type.Integer(),
  /** How many can still be restored. */
  undoable: Type.Integer(),
  /** Name of one of them before the change. */
  name: text,
  /** Destination folder of a transfer: link name and path, as shown. */
  toFolder: optional(text),
  /** The transfer is being undone. */
  undoing: optional(Type.Boolean()),
  /** Its new name, if the change renamed it. */
  newName: optional(text),
  /** The link, and the path of the item's folder in it. */
  linkName: text,
  sourceType: optional(text),
  folderUri: text,
  folderPath: text,
  /** Bytes, as far as known. */
  size: optional(Type.Integer()),
  /** Epoch seconds. */
  at: Type.Integer(),
  /** Time until which it can be undone; absent if it cannot. */
  until: optional(Type.Integer()),
});
export type RecentChange = Static<typeof RecentChange>;

/** Maximum number of listed changes. */
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
  /** Names of its former parent folders, if known. */
  folderPath: optional(text),
  /** Epoch seconds. */
  deletedAt: optional(Type.Integer()),
  /** Epoch seconds until which it is kept, if known. */
  until: optional(Type.Integer()),
  /** Whether it is a replaced file; restoring it moves the current file of that name to the bin. */
  replaced: optional(Type.Literal(true)),
  /** Who deleted or replaced it, if known and visible to the caller. */
  deletedBy: optional(text),
});
export type BinItem = Static<typeof BinItem>;

export const BinContents = Type.Object({
  bin: Type.Unsafe<BinKind>({ type: 'string', enum: [...binKinds] }),
  items: Type.Array(BinItem),
  /** Cursor of the next page; absent on the last one. */
  cursor: optional(text),
  /** Number of items, if known. */
  total: optional(Type.Integer()),
  /** Total bytes of files in a hidden bin, which use the owner's storage. Excludes files in deleted folders, whose sizes are unknown. */
  bytes: optional(Type.Integer()),
  /** Days for which a hidden bin keeps items. */
  days: optional(Type.Integer()),
  /** Whether items can be deleted permanently. */
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
  /** Bytes, if known. */
  size: optional(Type.Integer()),
  /** Epoch seconds, if known. */
  modified: optional(Type.Integer()),
});
export type KeptVersion = Static<typeof KeptVersion>;

/** Actions on earlier versions of a file: list them, open and download one, restore one. */
export const versionAbilities = ['list', 'read', 'restore'] as const;
export type VersionAbility = (typeof versionAbilities)[number];

export const versionList = call({
  method: 'GET',
  path: '/rest/content/versions',
  input: Type.Object(Versioned),
  reply: Type.Object({
    /** Without `list`, the source has no versions, either in general or of this kind of file. */
    can: Type.Array(Type.Unsafe<VersionAbility>({ type: 'string', enum: [...versionAbilities] })),
    versions: Type.Array(KeptVersion),
  }),
  summary: 'Earlier contents of a file that its source keeps, the newest first and without the present one. Not told inside of Spaces.',
});
const VersionId = Type.String({ minLength: 1, maxLength: 2000 });
/** Returns the bytes as `download` does, under a name with the version's date. */
export const versionDownload = call({
  method: 'GET',
  path: '/rest/content/version_download',
  input: Type.Object({ ...Versioned, versionId: VersionId, inline: Type.Boolean({ default: false }) }),
  reply: Type.Unknown(),
  summary: 'The bytes of an earlier content of a file. Not inside of Spaces.',
});
export const versionRestore = call({
  method: 'POST',
  path: '/rest/content/version_restore',
  input: Type.Object({ ...Versioned, versionId: VersionId, undoId: optional(UndoId), rTag }),
  reply: Type.Object({ undoId: optional(text) }),
  rTag: 'required',
  summary: 'Makes an earlier content of a file the present one, at its source; that which it replaces comes back with undo.',
});

/** Maximum retention of a hidden bin, in days. */
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
