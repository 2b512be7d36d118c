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
  /** Number of shared items; absent for one. */
  itemCount: optional(Type.Integer()),
  hasPassword: Type.Boolean(),
  /** Allowed and used downloads; absent without a limit. For an upload share: files instead of downloads. */
  downloadLimit: optional(Type.Integer()),
  downloads: optional(Type.Integer()),
  /** Present if visitors may view, but not download. */
  viewOnly: optional(Type.Literal(true)),
  /** Present if visitors may only upload into the folder, without seeing its contents. */
  uploadOnly: optional(Type.Literal(true)),
  /** Present if the owner gets a mail when visitors open the share, or upload. */
  notifies: optional(Type.Literal(true)),
  /** The public address. */
  sharelinkurl: text,
  /** The shared item, or the first of several. */
  linkUri: text,
  /** Present if a browser encrypted the item for this share: key and name, sealed with the key of the vault. The full address contains the key. */
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
/** Options of a share beyond the specification's; absent ones are unchanged. */
const choices = {
  /** Custom expiration in epoch seconds, which overrides {@link expirationSeconds}; 0 removes it. */
  endsAt: optional(Type.Integer({ minimum: 0, maximum: limits.latestShareEnd })),
  /** Maximum number of downloads; 0: unlimited. Repeated downloads of a file by one network within an hour count once. */
  downloadLimit: optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  /** Visitors get previews, but no downloads. This is no protection: visitors can still record what their browser receives. */
  viewOnly: optional(Type.Boolean()),
  /** Sends the owner a mail when visitors open the share or upload into it, at most once a day. */
  notifies: optional(Type.Boolean()),
};
/** Index file in the folder of an encrypted share; reading it does not count as a download. */
export const sealedIndexName = 'index';
/** Maximum length of the text that a browser seals for a share, in characters. */
const mostSealed = 8192;

export const createWeblink = call({
  method: 'POST',
  path: '/rest/weblink/create',
  input: Type.Object({
    linkUri: text,
    /** Empty or absent: none. */
    password: optional(text),
    expirationSeconds: optional(expirationSeconds),
    /** More items for the same share, from any of the user's links. */
    more: optional(Type.Array(text, { maxItems: limits.sharedItems - 1 })),
    /** Visitors may only add files to the folder, without seeing its contents; for a share of one folder. */
    uploadOnly: optional(Type.Boolean()),
    ...choices,
    /** For a folder of vault items encrypted for this share: its key and name, sealed for the owner's browser. */
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
    /** Absent or unchanged: keeps the expiration. Any other value counts from now. */
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

/** An item of a share as visitors see it; reveals nothing about the owner's storage. */
export const PublicItem = Type.Object({
  name: Item.properties.name,
  /** Path below the shared item, separated by slashes and not percent-encoded; '' is the shared item itself. */
  path: text,
  fileType: Item.properties.fileType,
  mimeType: Item.properties.mimeType,
  modified: Item.properties.modified,
  size: Item.properties.size,
  /** Address of a thumbnail, if available; takes an additional parameter `size`. */
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
    /** Present if names and contents are encrypted; the key is in the fragment of the address, which browsers never send. */
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
    /** On the first page: true while the source is being asked; repeat the call for its answer. */
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
/** Returns a zip as {@link archive} does; with several paths, of these items. */
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
