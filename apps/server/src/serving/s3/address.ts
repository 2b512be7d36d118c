import { isTemporary } from '@sheaf/connectors';
import { isSegment } from '@sheaf/contract';
import { rootBucket } from '#/serving/programs/buckets.ts';
import { S3Error } from './errors.ts';

/** The path of S3, and that of the bucket of all links for clients that cannot put a path before the bucket. */
export const s3Root = '/s3';
export const bucketRoot = `/${rootBucket}`;
/** Longest key in bytes of UTF-8. */
export const longestKey = 1024;

/** What the path of a request names. */
export interface S3Address {
  /** Absent: the list of buckets, or the bucket that contains them all. */
  readonly bucket?: string;
  /** Absent: the bucket itself. */
  readonly key?: string;
}

/** Reads a path as sent. Throws InvalidArgument for one that is not UTF-8. */
export function addressOf(path: string): S3Address {
  const [, bucket = '', ...rest] = path.slice((path.startsWith(bucketRoot) ? bucketRoot : s3Root).length).split('/');
  if (bucket === '') return {};
  const key = decoded(rest.join('/'));
  return { bucket: decoded(bucket), ...(key !== '' && { key }) };
}

/** The bucket and the key of a key in the bucket of all links. */
export function splitRootKey(key: string): S3Address {
  const slash = key.indexOf('/');
  if (slash < 0) return { bucket: key };
  const rest = key.slice(slash + 1);
  return { bucket: key.slice(0, slash), ...(rest !== '' && { key: rest }) };
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) throw new S3Error('InvalidArgument', 'The key is not UTF-8.', error);
    throw error;
  }
}

/** The path of the file or folder that a key stands for. */
export interface KeyPath {
  readonly path: string;
  /** Whether the key ends with a slash: it marks a folder. */
  readonly isFolder: boolean;
}

/** The path of a key. Throws InvalidArgument for a key that no path can stand for: with empty parts, `.` or `..`; KeyTooLongError. */
export function pathOfKey(key: string): KeyPath {
  if (Buffer.byteLength(key) > longestKey) throw new S3Error('KeyTooLongError');
  const isFolder = key.endsWith('/');
  const names = (isFolder ? key.slice(0, -1) : key).split('/');
  if (!names.every((name) => isSegment(name) && !isTemporary(name)))
    throw new S3Error('InvalidArgument', 'Objects are stored as files: no part of a key between slashes may be empty, "." or "..".');
  return { path: `/${names.join('/')}`, isFolder };
}
