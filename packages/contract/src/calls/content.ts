import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../catalogue/limits.ts';
import { ErrorAnswer } from '../error-answer.ts';
import { UndoId } from './changes.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Actions that a folder can offer: derived from the connector, shown in menus by the browser. A call exists for each. */
export const operations = ['list', 'read', 'write', 'createFolder', 'rename', 'remove', 'thumbnail', 'share'] as const;
export type ItemOperation = (typeof operations)[number];

export const Item = Type.Object({
  name: text,
  disambiguatedName: text,
  linkUri: text,
  fileType: Type.Union([Type.Literal('FOLDER'), Type.Literal('FILE')]),
  mimeType: optional(text),
  /** Epoch seconds; absent when the source does not report it. */
  modified: optional(Type.Integer()),
  /** Bytes; absent for folders and when unknown. */
  size: optional(Type.Integer()),
  /** Address of a thumbnail, if available; takes an additional parameter `size`. */
  thumbnailUrl: optional(text),
});
export type Item = Static<typeof Item>;

export const sortKeys = ['name', 'modified', 'size', 'type'] as const;
export type SortKey = (typeof sortKeys)[number];
const View = {
  sort: Type.Union([Type.Literal('name'), Type.Literal('modified'), Type.Literal('size'), Type.Literal('type')], { default: 'name' }),
  order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'asc' }),
  /** Part of a name, compared without case. */
  filter: optional(text),
  /** Omits mimeType and thumbnailUrl, which halves a long answer, for programs that need neither. */
  brief: optional(Type.Boolean()),
  /**
   * Returns the first rows of an unknown folder before the rest has arrived. Pages requested meanwhile may overlap, because later rows are inserted;
   * each insertion changes the version. Without it, a page waits for the whole folder, so that pages are consistent.
   */
  early: optional(Type.Boolean()),
  memberOid: optional(text),
};

export const Page = Type.Object({
  items: Type.Array(Item),
  /** Number of items after filtering; absent while the listing is still arriving. */
  total: optional(Type.Integer()),
  /** Number of items without the filter. */
  unfiltered: optional(Type.Integer()),
  hasMore: Type.Boolean(),
});
export type Page = Static<typeof Page>;

export const FirstPage = Type.Object({
  ...Page.properties,
  /** Epoch milliseconds at which the source returned this listing; absent while the first listing is arriving. */
  listedAt: optional(Type.Integer()),
  /** True while the source is being asked: repeat the call (without `refresh`) for its answer. */
  stale: Type.Boolean(),
  /** Changes whenever the listing does. */
  version: text,
  /** Actions that the folder and its items allow. */
  can: Type.Array(Type.Unsafe<ItemOperation>({ type: 'string', enum: [...operations] })),
  /** Where the link's server keeps deleted items, if anywhere. */
  hasBin: Type.Boolean(),
  /** Days for which Sheaf keeps deleted items in a hidden folder of a server without a bin; absent where a deletion is final or goes to the server's own bin. */
  binDays: optional(Type.Integer()),
  /** Why the last refresh failed, if stored rows are returned instead. */
  refreshError: optional(ErrorAnswer),
  /** Long renames in progress in this folder: the item appears under both names, possibly incomplete. Absent if there are none. */
  renames: optional(Type.Array(Type.Object({ name: text, newName: text }))),
});
export type FirstPage = Static<typeof FirstPage>;

const FolderRef = { linkUri: text };

export const remoteUpdate = call({
  method: 'POST',
  path: '/rest/content/remote_update',
  input: Type.Object({
    ...FolderRef,
    ...View,
    /** Waits for the source instead of answering from stored rows. */
    fresh: Type.Boolean({ default: false }),
    /** False: returns stored rows without asking the source, unless nothing is stored. */
    refresh: Type.Boolean({ default: true }),
    limit: Type.Integer({ minimum: 1, maximum: limits.maxPageSize, default: limits.pageSize }),
    rTag,
  }),
  reply: FirstPage,
  summary: 'First rows of a folder: from the stored listing at once, refreshed from the source.',
});
export const getMore = call({
  method: 'POST',
  path: '/rest/content/get_more',
  input: Type.Object({
    ...FolderRef,
    ...View,
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: limits.maxPageSize, default: limits.pageSize }),
    rTag,
  }),
  reply: Page,
  summary: 'Further rows of a folder.',
});
export const resolvePath = call({
  method: 'POST',
  path: '/rest/content/resolve',
  input: Type.Object({ path: text, memberOid: optional(text), rTag }),
  reply: Type.Object({ item: Item, ancestors: Type.Array(Item) }),
  summary: 'The item that a path of names leads to.',
});
/** Adds up stored listings and asks no source. Omits folders with incompletely known contents. */
export const folderSizes = call({
  method: 'POST',
  path: '/rest/content/folder_sizes',
  input: Type.Object({ ...FolderRef, memberOid: optional(text), rTag }),
  reply: Type.Object({
    folders: Type.Array(
      Type.Object({
        linkUri: text,
        /** Bytes of everything below the folder. */
        size: Type.Integer(),
      }),
    ),
  }),
  summary: 'Sizes of the folders in a folder, where they are known.',
});
export const getMetadata = call({
  method: 'POST',
  path: '/rest/content/get_metadata',
  input: Type.Object({ linkUri: text, memberOid: optional(text), rTag }),
  reply: Item,
  summary: 'One item.',
});
const AddFolder = {
  parentLinkUri: text,
  folderName: text,
  /** What to do when the name is taken: add a number, or refuse with NAME_TAKEN. */
  conflict: Type.Union([Type.Literal('rename'), Type.Literal('fail')], { default: 'rename' }),
  rTag,
};
export const addFolder = call({
  method: 'POST',
  path: '/rest/content/add_folder',
  input: Type.Object(AddFolder),
  reply: Item,
  summary: 'Makes a folder; a taken name gets a numeric suffix.',
});
export const addOrgFolder = call({
  ...addFolder,
  path: '/rest/content/add_orglink_folder',
  input: Type.Object({ ...AddFolder, memberOid: text }),
});
const Rename = { linkUri: text, newName: text, rTag };
export const renameObject = call({
  method: 'POST',
  path: '/rest/content/rename_object',
  input: Type.Object(Rename),
  reply: Type.Object({ ...Item.properties, undoId: optional(text) }),
  summary: 'Renames an item where it is.',
});
export const renameOrgObject = call({
  ...renameObject,
  path: '/rest/content/rename_orglink_object',
  input: Type.Object({ ...Rename, memberOid: text }),
});
/** `permanently` bypasses the bin, if the source allows it. */
const Delete = { linkUri: text, undoId: optional(UndoId), permanently: optional(Type.Boolean()), rTag };
export const deleteObject = call({
  method: 'POST',
  path: '/rest/content/delete_object',
  input: Type.Object(Delete),
  reply: Type.Object({
    /** Present if the deletion can be undone. */
    undoId: optional(text),
  }),
  summary: 'Deletes a file, or a folder with all it holds; into the bin where there is one.',
});
export const deleteOrgObject = call({
  ...deleteObject,
  path: '/rest/content/delete_orglink_object',
  input: Type.Object({ ...Delete, memberOid: text }),
});

export const conflictRules = ['fail', 'replace', 'rename'] as const;
export type ConflictRule = (typeof conflictRules)[number];
const UploadId = Type.String({ minLength: 1, maxLength: 64 });
/** The bytes are the body; a declared length is checked. */
export const upload = call({
  method: 'PUT',
  path: '/rest/content/upload',
  input: Type.Object({
    parentLinkUri: text,
    name: text,
    conflict: Type.Union([Type.Literal('fail'), Type.Literal('replace'), Type.Literal('rename')], { default: 'fail' }),
    /** Modification time of the local file, epoch milliseconds; kept if the source supports it. */
    modified: optional(Type.Number()),
    /** Chosen by the client, to query the progress of this upload with {@link uploadProgress}. */
    uploadId: optional(UploadId),
    /**
     * Replaces the file only if it still has this tag, as a HEAD request of {@link download} reports it, otherwise refuses with FILE_CHANGED. The
     * reply then has the tag of the new version.
     */
    ifMatch: optional(text),
    /** Groups files that are undone together. */
    undoId: optional(UndoId),
  }),
  reply: Type.Object({
    ...Item.properties,
    etag: optional(text),
    /** Present if a file was replaced and can be restored. */
    undoId: optional(text),
  }),
  rTag: 'required',
  summary: 'Stores a file; the bytes stream straight through.',
});
/** Omits uploads that this instance does not run: they have ended, or another instance runs them. */
export const uploadProgress = call({
  method: 'GET',
  path: '/rest/content/upload_progress',
  input: Type.Object({ uploadIds: Type.Array(UploadId) }),
  reply: Type.Object({
    uploads: Type.Array(
      Type.Object({
        uploadId: UploadId,
        /** Bytes that the storage has accepted. */
        taken: Type.Integer(),
      }),
    ),
  }),
  summary: 'How much of running uploads the storage has taken.',
});
/** Returns a thumbnail (JPEG, PNG, WebP, GIF or AVIF), made by the source or by Sheaf; `size` is the wanted longer side, in pixels. */
export const thumbnail = call({
  method: 'GET',
  path: '/rest/content/thumbnail',
  input: Type.Object({ linkUri: text, size: Type.Integer({ minimum: 16, maximum: 2048, default: 256 }), v: optional(text) }),
  reply: Type.Unknown(),
  summary: 'A small picture of a file.',
});
/** Returns the bytes, with ranges, ETag and RFC 6266 names. */
export const download = call({
  method: 'GET',
  path: '/rest/content/download',
  input: Type.Object({ linkUri: text, inline: Type.Boolean({ default: false }) }),
  reply: Type.Unknown(),
  summary: 'The bytes of a file.',
});
/**
 * Returns a zip of the items, folders with their contents. An unreadable item aborts it. If every size is known in advance, the zip has a length and can
 * be resumed with a range.
 */
export const archive = call({
  method: 'GET',
  path: '/rest/content/archive',
  input: Type.Object({ linkUri: Type.Array(text) }),
  reply: Type.Unknown(),
  summary: 'A streamed zip of files and folders.',
});

export const ArchiveDirectory = Type.Object({
  /** Truncated if there are very many. */
  entries: Type.Array(Type.Object({ path: text, isFolder: Type.Boolean(), size: Type.Integer() })),
  /** Number of entries in the archive. */
  total: Type.Integer(),
});
export type ArchiveDirectory = Static<typeof ArchiveDirectory>;
/** Reads only the archive's directory. */
export const archiveDirectory = call({
  method: 'GET',
  path: '/rest/content/archive_directory',
  input: Type.Object({ linkUri: text }),
  reply: ArchiveDirectory,
  summary: 'What a zip archive holds.',
});

/** A part of an office document: a slide, a sheet, or the whole text. Each row is a paragraph, or the cells of a sheet's row. */
export const OfficeSection = Type.Object({ title: text, rows: Type.Array(Type.Array(text)) });
export type OfficeSection = Static<typeof OfficeSection>;
export const OfficeText = Type.Object({
  sections: Type.Array(OfficeSection),
  /** Whether the text was cut. */
  isCut: Type.Boolean(),
});
export type OfficeText = Static<typeof OfficeText>;
/** Reads only the parts of the file that contain text. */
export const officeText = call({
  method: 'GET',
  path: '/rest/content/office_text',
  input: Type.Object({ linkUri: text }),
  reply: OfficeText,
  summary: 'The text of an office document, without its looks.',
});
