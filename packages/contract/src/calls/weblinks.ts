import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../catalogue/limits.ts';
import { ArchiveDirectory, Item, OfficeText, Page, sortKeys } from './content.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Expirations in the order of the selector; `seconds` 0 means never. */
export const shareExpirations = [
  { label: 'NEVER EXPIRES', seconds: 0 },
  { label: '24 HOURS', seconds: 86_400 },
  { label: '7 DAYS', seconds: 604_800 },
  { label: '1 MONTH', seconds: 2_592_000 },
] as const;
/** The selector's choice for a share's expirationSeconds; any other value counts as never. */
export const expirationIndexOf = (expirationSeconds = 0): number =>
  Math.max(
    0,
    shareExpirations.findIndex(({ seconds }) => seconds === expirationSeconds),
  );

/** Normalises `expirationSeconds`; any value that is not an option means never, which is 0. */
export const offeredExpiration = (expirationSeconds: number): number =>
  shareExpirations[expirationIndexOf(expirationSeconds)]?.seconds ?? 0;

/** Placeholder in the password field of a share that has one. */
export const hasPasswordPlaceholder = '[HAS PASSWORD]';

/** Path of a share's public page; `gallery` shows a folder's pictures. */
export const weblinkPagePath = (weblinkId: string, view: 'list' | 'gallery' = 'list'): string =>
  view === 'gallery' ? `/s/g/${weblinkId}` : `/s/${weblinkId}`;

/** A share as its owner sees it. */
export const Weblink = Type.Object({
  weblinkId: text,
  name: text,
  nbrVisits: Type.Integer(),
  /** Epoch seconds. */
  createdTimeStamp: Type.Integer(),
  /** The user's choice; 0: never expires. */
  expirationSeconds: Type.Integer(),
  /** Epoch seconds at which the share expires, possibly in the past; absent when it never does. */
  expirationTimeStamp: optional(Type.Integer()),
  isFolder: Type.Boolean(),
  /** How many items; absent for one. */
  itemCount: optional(Type.Integer()),
  hasPassword: Type.Boolean(),
  /** How many downloads are allowed, and how many there were; absent without a limit. Where visitors upload: how many files. */
  downloadLimit: optional(Type.Integer()),
  downloads: optional(Type.Integer()),
  /** Present where visitors may look, but not download. */
  viewOnly: optional(Type.Literal(true)),
  /** Present where visitors upload into the folder, and see nothing of it. */
  uploadOnly: optional(Type.Literal(true)),
  /** Present where the owner is told by mail when visitors open the share, or upload. */
  notifies: optional(Type.Literal(true)),
  /** The public address. */
  sharelinkurl: text,
  /** The shared item, or the first of several. */
  linkUri: text,
  /** Present where a browser encrypted the item for this share: its key and its name, sealed with the key of the vault. The address needs the key. */
  sealed: optional(text),
});
export type Weblink = Static<typeof Weblink>;

export const getWeblinks = call({
  method: 'POST',
  path: '/rest/weblink/get_weblinks',
  input: Type.Object({ rTag }),
  reply: Type.Array(Weblink),
  summary: "The user's shares, the newest first.",
});
/** One of the options of {@link shareExpirations}; every other number means never. */
const expirationSeconds = Type.Number();
/** Choices of a share beyond the specification's. An absent one stays as it is. */
const choices = {
  /** Epoch seconds of an end of its own, used in place of {@link expirationSeconds}; 0 takes that end away. */
  endsAt: optional(Type.Integer({ minimum: 0, maximum: limits.latestShareEnd })),
  /** Downloads after which visitors get no more bytes; 0: any number. The first of a network within an hour counts, for each file. */
  downloadLimit: optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  /** Visitors see previews and get no download. Whoever sees a file can still record what the browser has received. */
  viewOnly: optional(Type.Boolean()),
  /** Tells the owner by mail when visitors open the share, or upload into it, once a day at most. */
  notifies: optional(Type.Boolean()),
};
/** File in the folder of a share with encrypted items that says what the others are. Reading it is no download. */
export const sealedIndexName = 'index';
/** Most characters of what a browser seals for a share. */
const mostSealed = 8192;

export const createWeblink = call({
  method: 'POST',
  path: '/rest/weblink/create',
  input: Type.Object({
    linkUri: text,
    /** Empty or absent: none. */
    password: optional(text),
    expirationSeconds: optional(expirationSeconds),
    /** Further items of the same share, of any of the user's links. */
    more: optional(Type.Array(text, { maxItems: limits.sharedItems - 1 })),
    /** Visitors add files to the folder, and see nothing of it; for a share of one item. */
    uploadOnly: optional(Type.Boolean()),
    ...choices,
    /** For a folder that holds items of a vault, encrypted for this share: what the owner's browser needs to know of it, sealed. */
    sealed: optional(Type.String({ minLength: 1, maxLength: mostSealed })),
    rTag,
  }),
  reply: Type.Object({ sharelinkurl: text }),
  summary: 'Shares a file, a folder or several of them under an address that nobody can guess.',
});
export const updateWeblink = call({
  method: 'POST',
  path: '/rest/weblink/update_weblink',
  input: Type.Object({
    /** The last segment of the share's address. */
    weblinkUri: text,
    /** Absent or unchanged: the expiration stays. Any other value counts from now. */
    expirationSeconds: optional(expirationSeconds),
    passwordChanged: optional(Type.Boolean({ default: false })),
    /** The new password, used when `passwordChanged`; empty removes the password. */
    password: optional(text),
    ...choices,
    rTag,
  }),
  reply: Type.Object({ status: Type.Literal('ok') }),
  rTag: 'required',
  summary: "Changes a share's password, expiration and other choices.",
});
export const removeWeblink = call({
  method: 'POST',
  path: '/rest/weblink/remove_weblink',
  input: Type.Object({ webLinkId: text, rTag }),
  reply: Type.Object({}),
  rTag: 'required',
  summary: 'Ends a share; the item itself stays.',
});

/** An item of a share as visitors see it, without any trace of where the owner stores it. */
export const PublicItem = Type.Object({
  name: Item.properties.name,
  /** Path below the shared item, separated by slashes and not percent-encoded; '' is the shared item itself. */
  path: text,
  fileType: Item.properties.fileType,
  mimeType: Item.properties.mimeType,
  modified: Item.properties.modified,
  size: Item.properties.size,
  /** Address of a thumbnail, if one can be made; takes `size` as a further parameter. */
  thumbnailUrl: Item.properties.thumbnailUrl,
});
export type PublicItem = Static<typeof PublicItem>;

/** The path of the item with that name in the folder at `folderPath`. */
export const publicPath = (folderPath: string, name: string): string => (folderPath === '' ? name : `${folderPath}/${name}`);

const Place = { weblinkId: text, path: optional(Type.String({ default: '' })) };

export const openWeblink = call({
  method: 'POST',
  path: '/rest/weblink/open',
  input: Type.Object({ weblinkId: text, password: optional(text), rTag }),
  reply: Type.Object({
    name: text,
    isFolder: Type.Boolean(),
    expirationSeconds: Type.Integer(),
    /** Epoch seconds; absent when the share never expires. */
    expirationTimeStamp: optional(Type.Integer()),
    viewOnly: Weblink.properties.viewOnly,
    uploadOnly: Weblink.properties.uploadOnly,
    /** Present where names and contents are encrypted; the key stands after `#` in the address, which no browser sends. */
    sealed: optional(Type.Literal(true)),
    item: PublicItem,
  }),
  session: 'optional',
  summary:
    'Opens a share and counts a visit. WEBLINK_PASSWORD_NEEDED asks for its password; the cookie that a right one sets opens the other calls.',
});
export const listWeblink = call({
  method: 'POST',
  path: '/rest/weblink/list',
  input: Type.Object({
    ...Place,
    offset: Type.Integer({ minimum: 0, default: 0 }),
    limit: Type.Integer({ minimum: 1, maximum: limits.maxPageSize, default: limits.pageSize }),
    sort: Type.Union([Type.Literal('name'), Type.Literal('modified'), Type.Literal('size'), Type.Literal('type')], {
      default: sortKeys[0],
    }),
    order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'asc' }),
    /** Part of a name, compared without case. */
    filter: optional(text),
    rTag,
  }),
  reply: Type.Object({
    items: Type.Array(PublicItem),
    total: Page.properties.total,
    hasMore: Page.properties.hasMore,
    /** On the first page: true while the source is being asked; ask again for its answer. */
    stale: optional(Type.Boolean()),
  }),
  session: 'none',
  summary: 'Rows of a shared folder, or of a folder in it.',
});
/** Returns the bytes, with ranges, ETag and RFC 6266 names. */
export const downloadWeblink = call({
  method: 'GET',
  path: '/rest/weblink/download',
  input: Type.Object({ ...Place, inline: Type.Boolean({ default: false }) }),
  reply: Type.Unknown(),
  session: 'none',
  summary: 'The bytes of a shared file.',
});
/** Returns a zip as {@link archive} does; with several paths a zip of these items. */
export const archiveWeblink = call({
  method: 'GET',
  path: '/rest/weblink/archive',
  input: Type.Object({ weblinkId: text, path: optional(Type.Array(text)) }),
  reply: Type.Unknown(),
  session: 'none',
  summary: 'A zip of a shared folder, or of items in it.',
});
export const thumbnailWeblink = call({
  method: 'GET',
  path: '/rest/weblink/thumbnail',
  input: Type.Object({ ...Place, size: Type.Integer({ minimum: 16, maximum: 2048, default: 256 }), v: optional(text) }),
  reply: Type.Unknown(),
  session: 'none',
  summary: 'A small picture of a shared file.',
});
export const archiveDirectoryWeblink = call({
  method: 'GET',
  path: '/rest/weblink/archive_directory',
  input: Type.Object(Place),
  reply: ArchiveDirectory,
  session: 'none',
  summary: 'What a shared zip archive holds.',
});
export const officeTextWeblink = call({
  method: 'GET',
  path: '/rest/weblink/office_text',
  input: Type.Object(Place),
  reply: OfficeText,
  session: 'none',
  summary: 'The text of a shared office document, without its looks.',
});

/** Address of a visitor's uploads into a share that takes them, by the protocol of {@link tus}; of the metadata only `name` and `modified` count. */
export const weblinkUploadsPath = (weblinkId: string): string => `/rest/weblink/uploads/${weblinkId}`;
