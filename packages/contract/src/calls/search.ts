import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../catalogue/limits.ts';
import { Item } from './content.ts';

const text = Type.String();
const optional = Type.Optional;

/** Kinds of files for `type:`; any other text after it is an extension. */
export const fileTypes = {
  image: [
    'jpg',
    'jpeg',
    'png',
    'gif',
    'webp',
    'heic',
    'heif',
    'avif',
    'bmp',
    'tif',
    'tiff',
    'svg',
    'raw',
    'cr2',
    'nef',
    'arw',
    'dng',
    'psd',
  ],
  video: ['mp4', 'm4v', 'mov', 'mkv', 'avi', 'webm', 'mpg', 'mpeg', 'wmv', '3gp', 'mts'],
  audio: ['mp3', 'm4a', 'flac', 'wav', 'ogg', 'opus', 'aac', 'wma', 'aiff'],
  document: ['pdf', 'doc', 'docx', 'odt', 'rtf', 'txt', 'md', 'pages', 'tex', 'epub', 'ppt', 'pptx', 'odp', 'key'],
  sheet: ['xls', 'xlsx', 'ods', 'csv', 'tsv', 'numbers'],
  archive: ['zip', 'tar', 'gz', 'tgz', 'bz2', 'xz', 'zst', '7z', 'rar', 'iso', 'dmg'],
} as const satisfies Record<string, readonly string[]>;

export const FoundItem = Type.Object({
  ...Item.properties,
  /** The link in which it is. */
  userLinkId: text,
  /** The folder in which it is, as a path in the link; `/` is the link's root. */
  folder: text,
});
export type FoundItem = Static<typeof FoundItem>;

export const SearchedLink = Type.Object({
  userLinkId: text,
  name: text,
  /** The organisation's membership that gives access to it. */
  memberOid: optional(text),
  /** Number of items found in it; absent if there are more than were examined. */
  found: optional(Type.Integer()),
  /** Only a part of its names was looked through, because the query is too short or its filters refuse too many. */
  isPartial: optional(Type.Boolean()),
  /** Folders whose content is known, and about how many there are, as far as the known ones tell. */
  foldersKnown: Type.Integer(),
  foldersTotal: Type.Integer(),
  /** Epoch milliseconds at which the folder looked at longest ago was listed; absent when none was. */
  oldestLook: optional(Type.Integer()),
});
export type SearchedLink = Static<typeof SearchedLink>;

export const Found = Type.Object({
  items: Type.Array(FoundItem),
  /** Number of items found; absent if there are more than were examined. */
  total: optional(Type.Integer()),
  hasMore: Type.Boolean(),
  /** Only a part of the names in some link was looked through; a narrower query may find more. */
  isPartial: optional(Type.Boolean()),
  /** Every link that was searched. */
  links: Type.Array(SearchedLink),
});
export type Found = Static<typeof Found>;

/** Longest query in characters. */
export const longestQuery = 300;
/** Maximum number of items of a link that are ranked and shown; the answer says whether there are more. */
export const mostFound = 1000;

export const search = call({
  method: 'POST',
  path: '/rest/content/search',
  input: Type.Object({
    /**
     * Words of names and folders, in any order; "a phrase" in quotes (a quote within it is doubled); `type:image`, `type:folder` or `type:pdf`,
     * `>10mb`, `<1gb`, `date:2026-03`, `link:nas`, `in:invoices`. Of more than ten words the ten longest count.
     */
    query: Type.String({ maxLength: longestQuery }),
    /** Only this link. */
    userLinkId: optional(text),
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: limits.maxPageSize, default: 50 }),
    rTag: optional(text),
  }),
  reply: Found,
  summary: 'Items by name in every link, Space and organisation of the user, from stored listings.',
});
