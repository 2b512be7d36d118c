import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Body } from '@sheaf/connectors';
import { type OpenItem } from '#/files/items/open-item.ts';
import { findBucket } from '#/serving/programs/buckets.ts';
import type { Window } from '#/serving/programs/windows.ts';
import { type KeyPath, type S3Address, pathOfKey, splitRootKey } from './address.ts';
import { S3Error } from './errors.ts';
import type { Claim } from './signing/signature.ts';

/** A request of a program that has signed in. */
export interface S3Request {
  readonly method: string;
  readonly address: S3Address;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly window: Window;
  readonly claim: Claim;
  readonly secret: string;
  /** Reads a small body, verified. */
  readonly text: () => Promise<string>;
  /** Begins to read the body. */
  readonly body: () => Readable;
  readonly signal: AbortSignal;
}

export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** XML, or a promise of it: a client that waits long is sent blanks meanwhile. */
  readonly body?: string | Promise<string>;
  readonly file?: { readonly body: Body; readonly provider: string; readonly expected?: number };
}

export interface OpenBucket {
  readonly name: string;
  readonly userLinkId: string;
}

/** The link, folder and path of an object. */
export interface ObjectTarget extends KeyPath {
  readonly bucket: OpenBucket;
  readonly key: string;
  readonly item: OpenItem;
}

export const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** Throws NoSuchBucket. */
export async function openBucket(window: Window, name: string): Promise<OpenBucket> {
  const bucket = findBucket(await window.places(), name);
  if (!bucket) throw new S3Error('NoSuchBucket');
  return bucket;
}

/** The place of an object. Throws as opening its link does, NoSuchBucket, and NoSuchKey outside of the program's folders. */
export async function openObject(window: Window, { bucket: name, key }: S3Address): Promise<ObjectTarget> {
  if (name === undefined || key === undefined) throw new S3Error('NoSuchKey');
  const bucket = await openBucket(window, name);
  const at = pathOfKey(key);
  return { bucket, key, ...at, item: await window.open(bucket.userLinkId, at.path) };
}

/** An object by its key in a bucket, or in the bucket of all links. */
export const inBucket = (bucket: string | undefined, key: string): S3Address =>
  bucket === undefined ? splitRootKey(key) : { bucket, key };

export function mustWrite(window: Window): void {
  if (window.program.rights !== 'write') throw new S3Error('AccessDenied', 'This key may read only.');
}

/** The value of a call that reports its wrong arguments. */
export function numberIn(
  query: URLSearchParams,
  name: string,
  { most, preset }: { readonly most: number; readonly preset: number },
): number {
  const told = query.get(name);
  if (told === null || told === '') return preset;
  if (!/^\d{1,10}$/.test(told)) throw new S3Error('InvalidArgument', `${name} must be a number.`);
  return Math.min(Number(told), most);
}
