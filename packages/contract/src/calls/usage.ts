import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { FoundItem } from './search.ts';

const text = Type.String();
const optional = Type.Optional;

/** Bytes and number of files below a folder, according to stored listings. */
const used = { bytes: Type.Integer(), files: Type.Integer() };

/** An item of the folder. A folder includes everything known below it. */
export const UsedBy = Type.Object({
  name: text,
  linkUri: text,
  isFolder: Type.Boolean(),
  ...used,
  /** The largest folders in it, largest first. */
  parts: Type.Array(Type.Object({ name: text, linkUri: text, ...used })),
});
export type UsedBy = Static<typeof UsedBy>;

/** A link whose files are listed. */
const UsedLink = Type.Object({
  userLinkId: text,
  name: text,
  /** The organisation's membership that gives access to it. */
  memberOid: optional(text),
});

export const FolderUsage = Type.Object({
  /** The link of the folder; absent for all links. */
  link: optional(UsedLink),
  /** The folder, as a path in the link. */
  folder: text,
  ...used,
  /** Number of files of unknown size; included in `files`, but not in `bytes`. */
  unsized: Type.Integer(),
  /** The largest items, largest first. */
  items: Type.Array(UsedBy),
  /** Total of the items that are not listed. */
  others: Type.Object(used),
  /** The largest files below the folder, largest first; empty for all links. */
  largest: Type.Array(FoundItem),
  /** Folders whose content is known, and about how many there are, as far as the known ones tell. */
  foldersKnown: Type.Integer(),
  foldersTotal: Type.Integer(),
  /** Epoch milliseconds at which the folder looked at longest ago was listed; absent when none was. */
  oldestLook: optional(Type.Integer()),
});
export type FolderUsage = Static<typeof FolderUsage>;

export const folderUsage = call({
  method: 'GET',
  path: '/rest/usage/folder',
  /** Without an address: all links of the user, each as an item. */
  input: Type.Object({ linkUri: optional(text) }),
  reply: FolderUsage,
  summary: 'What uses the room below a folder or in all links, from stored listings.',
});

/** Default minimum size: duplicates of small files free little space. */
export const smallestDuplicate = 1_048_576;

export const DuplicateGroup = Type.Object({
  /** Size of each file in bytes. */
  bytes: Type.Integer(),
  /** Files of this size, oldest first. */
  items: Type.Array(FoundItem),
  /** Whether more files have this size than are listed. */
  hasMore: Type.Boolean(),
});
export type DuplicateGroup = Static<typeof DuplicateGroup>;

export const Duplicates = Type.Object({
  /** Groups of files of equal size, largest total first. Only a comparison shows whether their contents are equal. */
  groups: Type.Array(DuplicateGroup),
  hasMore: Type.Boolean(),
  /** The links of the items. */
  links: Type.Array(UsedLink),
  /** Links of which only the largest files were examined. */
  cut: Type.Array(text),
});
export type Duplicates = Static<typeof Duplicates>;

export const duplicates = call({
  method: 'GET',
  path: '/rest/usage/duplicates',
  input: Type.Object({
    /** Only this link. */
    userLinkId: optional(text),
    minBytes: Type.Integer({ minimum: 1, default: smallestDuplicate }),
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  }),
  reply: Duplicates,
  summary: 'Files of one size in all links, which may be duplicates, from stored listings.',
});

/** Maximum number of files and bytes that one comparison reads. */
export const comparison = { files: 20, bytes: 1_073_741_824 } as const;

export const Compared = Type.Object({
  /** Addresses of files grouped by equal content; a file that equals no other is a group of its own. */
  same: Type.Array(Type.Array(text)),
  /** Whether hashes of the sources were compared, or the files were read. */
  by: Type.Union([Type.Literal('hashes'), Type.Literal('reading')]),
});
export type Compared = Static<typeof Compared>;

export const compareFiles = call({
  method: 'POST',
  path: '/rest/usage/compare',
  input: Type.Object({
    linkUri: Type.Array(text, { minItems: 2, maxItems: comparison.files }),
    /** Reads the files if their sources report no common hash; without it such files are refused with NO_COMMON_HASH. */
    read: Type.Boolean({ default: false }),
    rTag: optional(text),
  }),
  rTag: 'required',
  reply: Compared,
  summary: 'Which of these files have the same content.',
});
