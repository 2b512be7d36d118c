import { type Static, type TSchema, Type } from 'typebox';
import type { Hashes as ReportedHashes } from '../../core/hashes.ts';
import { segmentOf } from '../../core/segment.ts';
import type { Item } from '../../kit/id-tree/item-tree.ts';

const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const Facet = Type.Object({});

const Hashes = Type.Object({
  quickXorHash: maybe(Type.String()),
  sha256Hash: maybe(Type.String()),
  sha1Hash: maybe(Type.String()),
});
const File = Type.Object({ mimeType: maybe(Type.String()), hashes: maybe(Hashes) });
const Parent = Type.Object({ id: maybe(Type.String()), driveId: maybe(Type.String()) });
/** Fields common to an item and a shortcut's target. */
const content = {
  id: Type.String({ minLength: 1 }),
  size: maybe(Type.Number()),
  file: maybe(File),
  folder: maybe(Facet),
  package: maybe(Facet),
  parentReference: maybe(Parent),
  fileSystemInfo: maybe(Type.Object({ lastModifiedDateTime: maybe(Type.String()) })),
  lastModifiedDateTime: maybe(Type.String()),
};

/** The used fields of https://learn.microsoft.com/graph/api/resources/driveitem. */
export const DriveItem = Type.Object({
  ...content,
  name: maybe(Type.String()),
  eTag: maybe(Type.String()),
  cTag: maybe(Type.String()),
  root: maybe(Facet),
  deleted: maybe(Facet),
  remoteItem: maybe(Type.Object(content)),
  '@microsoft.graph.downloadUrl': maybe(Type.String()),
});
export type DriveItem = Static<typeof DriveItem>;

/** The requested fields, so that a response with a thousand items stays small. */
export const itemFields = 'id,name,size,eTag,cTag,lastModifiedDateTime,fileSystemInfo,file,folder,package,remoteItem,parentReference';
export const changedFields = `${itemFields},root,deleted`;
export const deletedFields = `${itemFields},deleted`;
export const readFields = `${itemFields},@microsoft.graph.downloadUrl`;

/** One page of a collection. The last page has no next link; in a list of changes it has a delta link instead. */
export const pageOf = <S extends TSchema>(schema: S) =>
  Type.Object({
    value: Type.Array(schema),
    '@odata.nextLink': Type.Optional(Type.String()),
    '@odata.deltaLink': Type.Optional(Type.String()),
  });

export const Site = Type.Object({
  id: Type.String({ minLength: 1 }),
  displayName: maybe(Type.String()),
  name: maybe(Type.String()),
  isPersonalSite: maybe(Type.Boolean()),
});
export const Library = Type.Object({ id: Type.String({ minLength: 1 }), name: maybe(Type.String()) });
export const Quota = Type.Object({
  quota: maybe(Type.Object({ total: maybe(Type.Number()), used: maybe(Type.Number()) })),
});
export const Version = Type.Object({
  id: Type.String({ minLength: 1 }),
  lastModifiedDateTime: maybe(Type.String()),
  size: maybe(Type.Number()),
});
export const UploadSession = Type.Object({ uploadUrl: Type.String(), expirationDateTime: maybe(Type.String()) });
export const UploadStatus = Type.Object({ nextExpectedRanges: maybe(Type.Array(Type.String())) });
export const CopyStatus = Type.Object({
  status: Type.String(),
  errorCode: maybe(Type.String()),
  error: maybe(Type.Object({ code: maybe(Type.String()) })),
});
const Thumbnail = Type.Object({ url: maybe(Type.String()), width: maybe(Type.Number()), height: maybe(Type.Number()) });
export const Thumbnails = Type.Object({
  value: Type.Array(Type.Object({ small: maybe(Thumbnail), medium: maybe(Thumbnail), large: maybe(Thumbnail) })),
});
export const Profile = Type.Object({
  id: Type.String({ minLength: 1 }),
  displayName: maybe(Type.String()),
  mail: maybe(Type.String()),
  userPrincipalName: maybe(Type.String()),
});

/** Address of an item: `/me/drive` or `/drives/…`, and its id there; `root` for the drive itself. */
export interface Place {
  readonly drive: string;
  readonly id: string;
}

/** The hashes that a drive may provide, the most common first. */
export const hashNames = ['quickXorHash', 'sha256Hash', 'sha1Hash'] as const;
export type HashName = (typeof hashNames)[number];

/** Item metadata that the connector needs besides its entry. */
export interface ItemFacts {
  readonly level: 'sites' | 'site' | 'drive' | 'item';
  /** Address for rename, move, copy and delete. */
  readonly self: Place;
  /** Address of its children or bytes: for a shortcut to a shared item, that item's. */
  readonly inside: Place;
  readonly hash?: { readonly name: HashName; readonly value: string };
  /** Changes with any change of the item. */
  readonly eTag?: string;
  /** Time of the last change at the service, in its own format. */
  readonly changed?: string;
  /** Signed URL, valid for at most an hour. */
  readonly downloadUrl?: string;
}
export type GraphItem = Item<ItemFacts>;

export const driveOf = (id: string): string => `/drives/${encodeURIComponent(id)}`;

/** Returns the URL path of an item, without the base. */
export const addressOf = ({ drive, id }: Place): string => (id === 'root' ? `${drive}/root` : `${drive}/items/${encodeURIComponent(id)}`);

/**
 * Returns the URL path of a child by name; ends with a colon, so that a subresource can follow. Throws `badName` for a name that could
 * address another item.
 */
export const childAddressOf = (folder: Place, name: string): string =>
  `${addressOf(folder)}:/${encodeURIComponent(segmentOf(name)).replaceAll("'", '%27')}:`;

function hashOf(file: Static<typeof File>): ItemFacts['hash'] {
  for (const name of hashNames) {
    const value = file.hashes?.[name];
    if (value) return { name, value };
  }
  return undefined;
}

/** Returns the drive's hash as entries have it: quickXorHash is sent in base64, the others in hexadecimal of either case. */
function reportedHash({ name, value }: NonNullable<ItemFacts['hash']>): ReportedHashes {
  switch (name) {
    case 'quickXorHash':
      return { quickXor: Buffer.from(value, 'base64').toString('hex') };
    case 'sha256Hash':
      return { sha256: value.toLowerCase() };
    case 'sha1Hash':
      return { sha1: value.toLowerCase() };
  }
}

/** Parses an item of a drive; undefined for anything but files and folders, such as a notebook. */
export function readItem(wire: DriveItem, drive: string): GraphItem | undefined {
  const target = wire.remoteItem ?? wire;
  const self = { drive, id: wire.id };
  const remoteDrive = wire.remoteItem?.parentReference?.driveId;
  if ((wire.remoteItem && !remoteDrive) || target.package || (!target.file && !target.folder)) return undefined;
  const time = Date.parse(target.fileSystemInfo?.lastModifiedDateTime ?? target.lastModifiedDateTime ?? '');
  const tag = wire.cTag ?? wire.eTag;
  const hash = target.file ? hashOf(target.file) : undefined;
  return {
    id: wire.id,
    name: wire.name ?? '',
    kind: target.file ? 'file' : 'folder',
    entry: {
      ...(target.file && { size: target.size ?? 0 }),
      ...(!Number.isNaN(time) && { modified: Math.floor(time / 1000) }),
      ...(target.file && tag && { etag: tag }),
      ...(target.file?.mimeType && { mimeType: target.file.mimeType }),
      ...(hash && { hashes: reportedHash(hash) }),
      ...(wire.remoteItem && { isLink: true as const }),
    },
    facts: {
      level: 'item',
      self,
      inside: remoteDrive ? { drive: driveOf(remoteDrive), id: target.id } : self,
      ...(hash && { hash }),
      ...(wire.eTag && { eTag: wire.eTag }),
      ...(wire.lastModifiedDateTime && { changed: wire.lastModifiedDateTime }),
      ...(wire['@microsoft.graph.downloadUrl'] && { downloadUrl: wire['@microsoft.graph.downloadUrl'] }),
    },
  };
}
