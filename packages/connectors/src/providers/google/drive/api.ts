import { type Static, Type } from 'typebox';
import type { Item } from '../../../kit/id-tree/item-tree.ts';
import { type Export, exportOf, folderType, shortcutType } from './exports.ts';

const text = Type.Optional(Type.String());

/** The requested fields of a file: https://developers.google.com/drive/api/reference/rest/v3/files */
export const DriveFile = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Type.String(),
  mimeType: Type.String(),
  parents: Type.Optional(Type.Array(Type.String())),
  driveId: text,
  size: text,
  md5Checksum: text,
  sha1Checksum: text,
  headRevisionId: text,
  version: text,
  modifiedTime: text,
  createdTime: text,
  trashed: Type.Optional(Type.Boolean()),
  shortcutDetails: Type.Optional(Type.Object({ targetId: Type.String(), targetMimeType: text })),
});
export type DriveFile = Static<typeof DriveFile>;
const listedFields =
  'id,name,mimeType,parents,driveId,size,md5Checksum,headRevisionId,version,modifiedTime,createdTime,trashed,shortcutDetails(targetId,targetMimeType)';

/** Fields of a single file; in lists the second hash would only make responses larger. */
export const fileFields = `${listedFields},sha1Checksum`;

/** Whether the item itself was trashed, rather than a folder above it. */
export const Trashed = Type.Object({ ...DriveFile.properties, explicitlyTrashed: Type.Optional(Type.Boolean()) });
export type Trashed = Static<typeof Trashed>;
export const trashedFields = `${fileFields},explicitlyTrashed`;
export const TrashList = Type.Object({ files: Type.Optional(Type.Array(Trashed)), nextPageToken: text });
export const trashListFields = `nextPageToken,files(${listedFields},explicitlyTrashed)`;

export const FileList = Type.Object({ files: Type.Optional(Type.Array(DriveFile)), nextPageToken: text });
export const listFields = `nextPageToken,files(${listedFields})`;

const SharedDrive = Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String() });
export const DriveList = Type.Object({ drives: Type.Optional(Type.Array(SharedDrive)), nextPageToken: text });

export const About = Type.Object({
  user: Type.Optional(Type.Object({ permissionId: text, emailAddress: text, displayName: text })),
  storageQuota: Type.Optional(Type.Object({ limit: text, usage: text })),
});
export const Links = Type.Object({
  thumbnailLink: text,
  exportLinks: Type.Optional(Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } })),
});
export const GeneratedIds = Type.Object({ ids: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }) });
export const StartToken = Type.Object({ startPageToken: Type.String() });
export const ChangeList = Type.Object({
  changes: Type.Optional(
    Type.Array(
      Type.Object({
        changeType: text,
        removed: Type.Optional(Type.Boolean()),
        fileId: text,
        file: Type.Optional(DriveFile),
      }),
    ),
  ),
  nextPageToken: text,
  newStartPageToken: text,
});
export const changeFields = `nextPageToken,newStartPageToken,changes(changeType,removed,fileId,file(${listedFields}))`;

/** Item metadata that the connector needs but does not show. */
export interface Facts {
  /** A file or folder of Drive, or one of the virtual folders above: My Drive, the folder of shared drives, a shared drive. */
  readonly place: 'item' | 'root' | 'drives' | 'drive';
  /** The id of the content: a shortcut's target, otherwise the item's own id. */
  readonly target: string;
  readonly isShortcut: boolean;
  /** A shortcut whose target is deleted or not accessible. */
  readonly isBroken: boolean;
  readonly mimeType: string;
  /** The shared drive that contains the content. */
  readonly driveId?: string;
  readonly parent?: string;
  readonly hash?: ContentHash;
  readonly revision?: string;
  readonly export?: Export;
  /** RFC 3339, so that comparing strings compares times. */
  readonly created: string;
  readonly isTrashed: boolean;
  /** Epoch ms of the request to Drive. */
  readonly asOf: number;
}
export type DriveItem = Item<Facts>;

/** A hash of a file's bytes, hexadecimal. */
export interface ContentHash {
  readonly algorithm: 'md5' | 'sha1';
  readonly value: string;
}

/** Returns the hash for verification: SHA-1, which is twice as fast as MD5, where Drive provides it. */
export function hashOf({ md5Checksum, sha1Checksum }: DriveFile): ContentHash | undefined {
  if (sha1Checksum !== undefined) return { algorithm: 'sha1', value: sha1Checksum };
  return md5Checksum === undefined ? undefined : { algorithm: 'md5', value: md5Checksum };
}

/** Converts a file to an item; `target` is a shortcut's target, if accessible. */
export function toItem(file: DriveFile, asOf: number, target?: DriveFile): DriveItem {
  const { id, name, parents, shortcutDetails, trashed = false, createdTime = '' } = file;
  const isShortcut = file.mimeType === shortcutType;
  const content = target ?? file;
  const mimeType = isShortcut ? (target?.mimeType ?? shortcutDetails?.targetMimeType ?? shortcutType) : file.mimeType;
  const given = exportOf(mimeType);
  const [parent] = parents ?? [];
  const hash = hashOf(content);
  return {
    id,
    name: name + (given?.extension ?? ''),
    kind: mimeType === folderType ? 'folder' : 'file',
    entry: { ...entryOf(content, mimeType, isShortcut && !target), ...(isShortcut && { isLink: true as const }) },
    facts: {
      place: 'item',
      target: isShortcut ? (shortcutDetails?.targetId ?? id) : id,
      isShortcut,
      isBroken: isShortcut && !target,
      mimeType,
      ...(content.driveId !== undefined && { driveId: content.driveId }),
      ...(parent !== undefined && { parent }),
      ...(hash && { hash }),
      ...(content.headRevisionId !== undefined && { revision: content.headRevisionId }),
      ...(given && { export: given }),
      created: createdTime,
      isTrashed: trashed,
      asOf,
    },
  };
}

/** A Google document has no size: the length of its export is known only after the export. */
function entryOf(
  { size, modifiedTime, md5Checksum, sha1Checksum, version }: DriveFile,
  mimeType: string,
  isBroken: boolean,
): DriveItem['entry'] {
  const time = Date.parse(modifiedTime ?? '');
  const modified = Number.isNaN(time) ? {} : { modified: Math.floor(time / 1000) };
  if (mimeType === folderType) return modified;
  const given = exportOf(mimeType);
  const etag = isBroken ? undefined : (md5Checksum ?? version);
  return {
    ...modified,
    ...(size !== undefined && !given && !isBroken && { size: Number(size) }),
    ...(etag !== undefined && { etag }),
    ...(md5Checksum !== undefined &&
      !given &&
      !isBroken && { hashes: { md5: md5Checksum, ...(sha1Checksum !== undefined && { sha1: sha1Checksum }) } }),
    mimeType: given?.mimeType ?? mimeType,
  };
}

/** Quotes text for a search query: https://developers.google.com/drive/api/guides/search-files */
export const quoted = (value: string): string => `'${value.replace(/[\\']/g, (character) => `\\${character}`)}'`;
