import { ConnectorError } from '../../core/error.ts';
import type { StoredObject } from '../../kit/object-store/object-store.ts';
import { escapeXml } from '../../kit/xml/xml-text.ts';
import { type XmlElement, childText } from '../../kit/xml/xml.ts';

/** The elements of a listing that matter: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export const listingElements = [
  'Contents',
  'CommonPrefixes',
  'EncodingType',
  'IsTruncated',
  'NextContinuationToken',
  'NextMarker',
] as const;

/** Keeps a file's own time, in seconds, with its object: the name that other programs use too. */
const timeHeader = 'x-amz-meta-mtime';

export const timeHeaders = (fileTime: number | undefined): Record<string, string> =>
  fileTime === undefined ? {} : { [timeHeader]: String(fileTime) };

/** An object of a listing; `encoded` when the service has percent-encoded its keys. */
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

/** What the head of an answer says of its object. `size` is the object's, also when a part of it was asked for. */
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

/** An etag without its quotes, which listings and heads write differently. */
export function etagOf(text: string | undefined): { etag?: string } {
  const etag = text?.replace(/^W\/|"/g, '');
  return etag ? { etag } : {};
}

/** Epoch seconds of an ISO or RFC 1123 date; whole ones, because headers tell no more and both must agree. */
function modifiedOf(text: string | undefined): { modified?: number } {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? {} : { modified: Math.floor(time / 1000) };
}

/** Percent-decodes a key of an url-encoded listing, where a space may be a plus. */
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

/** The body of CompleteMultipartUpload; the parts' etags in order. */
export const completion = (etags: readonly string[]): string =>
  `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${etags
    .map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>"${escapeXml(etag)}"</ETag></Part>`)
    .join('')}</CompleteMultipartUpload>`;

/** XML 1.0 holds no control characters but tab, line feed and carriage return, not even as references. */
export const fitsXml = (key: string): boolean => !/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u.test(key);

/** Line ends would be normalised by a parser (XML 1.0, section 2.11), were they not references. */
const escapeKey = (key: string): string => escapeXml(key).replace(/[\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
