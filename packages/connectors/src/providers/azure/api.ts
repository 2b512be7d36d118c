import { ConnectorError } from '../../core/error.ts';
import type { StoredObject } from '../../kit/object-store/object-store.ts';
import { type XmlElement, childOf, childText } from '../../kit/xml/xml.ts';
import { keyOfBlob } from './names.ts';

/** The relevant elements of a listing: https://learn.microsoft.com/rest/api/storageservices/list-blobs */
export const listingElements = ['Blob', 'BlobPrefix', 'NextMarker'] as const;

/** Stores a file's modification time in seconds; other programs use the same name. */
const timeHeader = 'x-ms-meta-mtime';

export const timeHeaders = (fileTime: number | undefined): Record<string, string> =>
  fileTime === undefined ? {} : { [timeHeader]: String(fileTime) };

/** Whether a `Blob` is a directory stub: a blob with the directory's name, with which other programs keep the directory. */
export function isStub(blob: XmlElement): boolean {
  const metadata = childOf(blob, 'Metadata');
  return metadata !== undefined && childText(metadata, 'hdi_isfolder') === 'true';
}

/** The object of a `Blob`. */
export function toObject(blob: XmlElement): StoredObject {
  const properties = childOf(blob, 'Properties');
  const metadata = childOf(blob, 'Metadata');
  const size = Number(properties && childText(properties, 'Content-Length'));
  if (!properties || !Number.isSafeInteger(size)) throw new ConnectorError('unexpected', 'a listing with a blob of no size');
  return objectOf(toKey(blob), size, {
    etag: childText(properties, 'Etag'),
    modified: childText(properties, 'Last-Modified'),
    mimeType: childText(properties, 'Content-Type'),
    fileTime: metadata && childText(metadata, 'mtime'),
    md5: childText(properties, 'Content-MD5'),
    version: childText(blob, 'VersionId'),
  });
}

/** What a `Blob` is in a listing that includes versions, snapshots or deleted blobs. */
export interface BlobState {
  /** With `version`, where it is one; that of {@link hasVersionsOnly} is the time of the deletion. */
  readonly object: StoredObject;
  readonly isStub: boolean;
  /** It is the present content of its name. */
  readonly isCurrent: boolean;
  /** The name of a deleted blob that has earlier versions. */
  readonly hasVersionsOnly: boolean;
  readonly snapshot?: string;
  /** It is kept by soft delete, and cannot be read. */
  readonly isDeleted: boolean;
  /** Epoch milliseconds of its deletion by soft delete. */
  readonly deletedAt?: number;
}

/** Parses a `Blob` of such a listing. */
export function toState(blob: XmlElement): BlobState {
  const properties = childOf(blob, 'Properties');
  const is = (name: string): boolean => childText(blob, name) === 'true';
  const snapshot = childText(blob, 'Snapshot');
  const deletedAt = Date.parse((properties && childText(properties, 'DeletedTime')) ?? '');
  const [isDeleted, hasVersionsOnly] = [is('Deleted'), is('HasVersionsOnly')];
  const object = toObject(blob);
  return {
    object,
    isStub: isStub(blob),
    isCurrent: !isDeleted && !hasVersionsOnly && !snapshot && (object.version === undefined || is('IsCurrentVersion')),
    hasVersionsOnly,
    isDeleted,
    ...(snapshot && { snapshot }),
    ...(Number.isFinite(deletedAt) && { deletedAt }),
  };
}

/** Returns the key of a `Blob` or a `BlobPrefix`, whose name is percent-encoded when XML cannot represent it. */
export function toKey(element: XmlElement): string {
  const name = childOf(element, 'Name');
  if (!name) throw new ConnectorError('unexpected', 'a listing with a blob of no name');
  try {
    return keyOfBlob(name.attributes['Encoded'] === 'true' ? decodeURIComponent(name.text) : name.text);
  } catch (error) {
    throw new ConnectorError('unexpected', 'a listing with a name that is no UTF-8', { cause: error });
  }
}

/**
 * Reads a blob's properties from response headers; undefined for a directory stub. `size` is the size of the whole blob, also for a range
 * request.
 */
export function objectOfHeaders(key: string, headers: Readonly<Record<string, string>>): StoredObject | undefined {
  if (headers['x-ms-meta-hdi_isfolder'] === 'true') return undefined;
  const whole = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? headers['content-length'];
  return objectOf(key, Number(whole ?? 0), {
    etag: headers['etag'],
    modified: headers['last-modified'],
    mimeType: headers['content-type'],
    fileTime: headers[timeHeader],
    version: headers['x-ms-version-id'],
    // The answer to a range request has the blob's MD5 in a header of its own.
    md5: headers['x-ms-blob-content-md5'] ?? (headers['content-range'] === undefined ? headers['content-md5'] : undefined),
  });
}

type Facts = Readonly<Record<'etag' | 'modified' | 'mimeType' | 'fileTime' | 'md5' | 'version', string | undefined>>;

function objectOf(key: string, size: number, { etag, modified, mimeType, fileTime, md5, version }: Facts): StoredObject {
  const written = Math.floor(Date.parse(modified ?? '') / 1000);
  const own = Number(fileTime || Number.NaN);
  return {
    key,
    size,
    ...(etag && { etag: etag.replaceAll('"', '') }),
    ...(Number.isFinite(written) && { modified: written }),
    ...(Number.isFinite(own) && { fileTime: own }),
    ...(mimeType && { mimeType }),
    ...(version && { version }),
    ...(md5 && base64Md5.test(md5) && { hashes: { md5: Buffer.from(md5, 'base64').toString('hex') } }),
  };
}

const base64Md5 = /^[A-Za-z\d+/]{22}==$/;

/** Returns the header of a commit that stores the blob's MD5: the service computes it only for blobs uploaded in one request. */
export const md5Header = (md5: string | undefined): Record<string, string> =>
  md5 === undefined ? {} : { 'x-ms-blob-content-md5': Buffer.from(md5, 'hex').toString('base64') };

/** A block of a block list: https://learn.microsoft.com/rest/api/storageservices/get-block-list */
export interface Block {
  readonly id: string;
  readonly size: number;
}

/** Parses a `Block`. */
export function toBlock(block: XmlElement): Block {
  const [id, size] = [childText(block, 'Name'), Number(childText(block, 'Size'))];
  if (id === undefined || !Number.isSafeInteger(size)) throw new ConnectorError('unexpected', 'a block of no id or size');
  return { id, size };
}

/** The body of Put Block List: https://learn.microsoft.com/rest/api/storageservices/put-block-list */
export const blockList = (ids: readonly string[]): string =>
  `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map((id) => `<Latest>${id}</Latest>`).join('')}</BlockList>`;
