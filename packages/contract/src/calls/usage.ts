import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { FoundItem } from './search.ts';

const text = Type.String();
const optional = Type.Optional;

/** Bytes and number of files below a folder, as far as its stored listings tell. */
const used = { bytes: Type.Integer(), files: Type.Integer() };

/** An item of the folder. A folder counts with everything that is known below it. */
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
  /** The link of the folder; absent for all links together. */
  link: optional(UsedLink),
  /** The folder, as a path in the link. */
  folder: text,
  ...used,
  /** Files whose size the source does not tell; they are in `files`, but not in `bytes`. */
  unsized: Type.Integer(),
  /** The items that use most, largest first. */
  items: Type.Array(UsedBy),
  /** What the items that are not listed use. */
  others: Type.Object(used),
  /** The largest files below the folder, largest first; none for all links together. */
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
  /** Without an address all links of the user together, each as an item. */
  input: Type.Object({ linkUri: optional(text) }),
  reply: FolderUsage,
  summary: 'What uses the room below a folder or in all links, from stored listings.',
});

/** Smallest size that is looked for, unless the caller says otherwise: small files are rarely worth the room. */
export const smallestDuplicate = 1_048_576;

export const DuplicateGroup = Type.Object({
  /** Size of each file, bytes. */
  bytes: Type.Integer(),
  /** Files of this size, the oldest first. */
  items: Type.Array(FoundItem),
  /** Whether more files have this size than are listed. */
  hasMore: Type.Boolean(),
});
export type DuplicateGroup = Static<typeof DuplicateGroup>;

export const Duplicates = Type.Object({
  /** Groups of files of one size, the one that uses most first. Only a comparison tells whether their content is the same. */
  groups: Type.Array(DuplicateGroup),
  hasMore: Type.Boolean(),
  /** The links of the items. */
  links: Type.Array(UsedLink),
  /** Links of which only the largest files were looked at. */
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

/** Most files and bytes that one comparison reads. */
export const comparison = { files: 20, bytes: 1_073_741_824 } as const;

export const Compared = Type.Object({
  /** Addresses of files with the same content, each group together; a file that equals no other stands alone. */
  same: Type.Array(Type.Array(text)),
  /** Whether the sources' own hashes told it, or the files were read. */
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
