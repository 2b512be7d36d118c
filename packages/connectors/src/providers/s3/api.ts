import { ConnectorError } from '../../core/error.ts';
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
  };
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
export const completion = (etags: readonly string[]): string =>
  `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${etags
    .map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>"${escapeXml(etag)}"</ETag></Part>`)
    .join('')}</CompleteMultipartUpload>`;

/** XML 1.0 allows no control characters except tab, line feed and carriage return, not even as references. */
export const fitsXml = (key: string): boolean => !/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u.test(key);

/** Line breaks must be written as references, because parsers normalise them (XML 1.0, section 2.11). */
const escapeKey = (key: string): string => escapeXml(key).replace(/[\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
