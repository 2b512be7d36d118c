import { ConnectorError } from '../../core/error.ts';
import type { HashName, Hashes } from '../../core/hashes.ts';
import type { StoredObject } from '../../kit/object-store/object-store.ts';
import { escapeXml } from '../../kit/xml/xml-text.ts';
import { type XmlElement, childText } from '../../kit/xml/xml.ts';

/** The relevant elements of a listing: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export const listingElements = [
  'Contents',
  'CommonPrefixes',
  'EncodingType',
  'IsTruncated',
  'NextContinuationToken',
  'NextMarker',
] as const;

/** Stores a file's modification time in seconds; other programs use the same name. */
const timeHeader = 'x-amz-meta-mtime';

export const timeHeaders = (fileTime: number | undefined): Record<string, string> =>
  fileTime === undefined ? {} : { [timeHeader]: String(fileTime) };

/** Parses an object of a listing; `encoded` when the service percent-encodes keys. */
export function toObject(contents: XmlElement, encoded: boolean): StoredObject {
  const size = Number(childText(contents, 'Size'));
  if (!Number.isSafeInteger(size)) throw new ConnectorError('unexpected', 'a listing with an object of no size');
  return {
    key: toKey(childText(contents, 'Key'), encoded),
    size,
    ...etagOf(childText(contents, 'ETag')),
    ...modifiedOf(childText(contents, 'LastModified')),
  };
}

/** The relevant elements of a listing of versions: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html */
export const versionElements = ['Version', 'DeleteMarker', 'EncodingType', 'IsTruncated'] as const;

/** A version of an object, or a marker of its deletion. */
export interface ObjectVersion {
  readonly key: string;
  readonly version: string;
  readonly isMarker: boolean;
  /** Whether it is the newest version of its key. */
  readonly isLatest: boolean;
  /** Size in bytes; 0 for a marker. */
  readonly size: number;
  /** Epoch seconds. */
  readonly modified?: number;
}

/** Parses a version or a marker; `encoded` as for {@link toObject}. */
export function toVersion(element: XmlElement, encoded: boolean): ObjectVersion {
  const isMarker = element.name === 'DeleteMarker';
  const [version, size] = [childText(element, 'VersionId'), isMarker ? 0 : Number(childText(element, 'Size'))];
  if (version === undefined || !Number.isSafeInteger(size)) throw new ConnectorError('unexpected', 'a version of no id or size');
  return {
    key: toKey(childText(element, 'Key'), encoded),
    version,
    isMarker,
    isLatest: childText(element, 'IsLatest') === 'true',
    size,
    ...modifiedOf(childText(element, 'LastModified')),
  };
}

export const toPrefix = (commonPrefixes: XmlElement, encoded: boolean): string => toKey(childText(commonPrefixes, 'Prefix'), encoded);

/** Reads an object's properties from response headers. `size` is the size of the whole object, also for a range request. */
export function objectOfHeaders(key: string, headers: Readonly<Record<string, string>>): StoredObject {
  const whole = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] ?? headers['content-length'];
  const fileTime = Number(headers[timeHeader] || Number.NaN);
  return {
    key,
    size: Number(whole ?? 0),
    ...etagOf(headers['etag']),
    ...modifiedOf(headers['last-modified']),
    ...(Number.isFinite(fileTime) && { fileTime }),
    ...(headers['content-type'] !== undefined && { mimeType: headers['content-type'] }),
    ...(headers['x-amz-version-id'] && { version: headers['x-amz-version-id'] }),
    ...hashesOf(headers),
  };
}

/** With KMS or a customer-provided key, an etag is not an MD5: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html */
export const isEncrypted = (headers: Readonly<Record<string, string>>): boolean =>
  headers['x-amz-server-side-encryption']?.startsWith('aws:kms') === true ||
  headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined;

/** Header that requests the {@link checksums} of an object. */
export const checksumMode = { 'x-amz-checksum-mode': 'ENABLED' } as const;

/** Amazon computes CRC-64/NVME of objects uploaded without a checksum; other programs upload the others. */
const checksums = ['crc64nvme', 'crc32'] as const satisfies readonly HashName[];
/** Hashes that objects may have: on Amazon with checksum headers, elsewhere without. */
export const reported = { amazon: ['md5', ...checksums], compatible: ['md5'] } as const satisfies Record<string, readonly HashName[]>;

/**
 * Returns the hashes of the whole object. An etag is the MD5 only for objects stored in one request. A listing does not contain the
 * encryption of an object, so its etags are not used as hashes. The checksum in the response to a range request may be that of a part.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */
function hashesOf(headers: Readonly<Record<string, string>>): { hashes?: Hashes } {
  const { etag } = etagOf(headers['etag']);
  const md5 = etag !== undefined && /^[\da-f]{32}$/i.test(etag) && !isEncrypted(headers) ? etag.toLowerCase() : undefined;
  const isWhole = wholeRange(headers['content-range']) && (headers['x-amz-checksum-type'] ?? 'FULL_OBJECT') === 'FULL_OBJECT';
  const found = checksums.flatMap((name): [HashName, string][] => {
    const text = headers[`x-amz-checksum-${name}`];
    return isWhole && text !== undefined && /^[A-Za-z\d+/]+=*$/.test(text) ? [[name, Buffer.from(text, 'base64').toString('hex')]] : [];
  });
  const hashes: Hashes = { ...(md5 !== undefined && { md5 }), ...Object.fromEntries(found) };
  return Object.keys(hashes).length > 0 ? { hashes } : {};
}

function wholeRange(contentRange: string | undefined): boolean {
  const [, start, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(contentRange ?? '') ?? [];
  return contentRange === undefined || (start === '0' && Number(last) + 1 === Number(size));
}

/** The relevant elements of a listing of parts: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html */
export const partElements = ['Part', 'IsTruncated', 'NextPartNumberMarker'] as const;

/** The relevant elements of a listing of uploads: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html */
export const uploadElements = ['Upload', 'IsTruncated'] as const;

/** Parses a stored part. */
export function toPart(part: XmlElement): { readonly number: number; readonly size: number; readonly etag: string } {
  const [number, size] = [Number(childText(part, 'PartNumber')), Number(childText(part, 'Size'))];
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(size)) throw new ConnectorError('unexpected', 'a part of no number or size');
  return { number, size, etag: etagOf(childText(part, 'ETag')).etag ?? '' };
}

/** Strips the quotes of an etag, which listings and headers write differently. */
export function etagOf(text: string | undefined): { etag?: string } {
  const etag = text?.replace(/^W\/|"/g, '');
  return etag ? { etag } : {};
}

/** Parses an ISO or RFC 1123 date to epoch seconds, without fractions, because headers have none and both must match. */
function modifiedOf(text: string | undefined): { modified?: number } {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? {} : { modified: Math.floor(time / 1000) };
}

/** Percent-decodes a key of a URL-encoded listing, where a space may be a plus. */
export function toKey(text: string | undefined, encoded: boolean): string {
  if (text === undefined) throw new ConnectorError('unexpected', 'a listing with an object of no name');
  if (!encoded) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw new ConnectorError('unexpected', 'a listing with a key that is no UTF-8', { cause: error });
  }
}

/** The body of DeleteObjects: https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
export const deletion = (keys: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${keys
    .map((key) => `<Object><Key>${escapeKey(key)}</Key></Object>`)
    .join('')}</Delete>`;

/** The body of CompleteMultipartUpload; the parts' etags are in order. */
export const completion = (parts: readonly { readonly number: number; readonly etag: string }[]): string =>
  `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts
    .map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>"${escapeXml(etag)}"</ETag></Part>`)
    .join('')}</CompleteMultipartUpload>`;

/** XML 1.0 allows no control characters except tab, line feed and carriage return, not even as references. */
export const fitsXml = (key: string): boolean => !/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u.test(key);

/** Line breaks must be written as references, because parsers normalise them (XML 1.0, section 2.11). */
const escapeKey = (key: string): string => escapeXml(key).replace(/[\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
