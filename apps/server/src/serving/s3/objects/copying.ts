import type { Readable } from 'node:stream';
import { type Entry, createHashSet, parentOf } from '@sheaf/connectors';
import type { Listings } from '#/files/listings/service.ts';
import { streamOf } from '#/files/transfers/copying/body-stream.ts';
import { rootBucket } from '#/serving/programs/buckets.ts';
import { addressOf, decoded, s3Root, splitRootKey } from '../address.ts';
import { S3Error } from '../errors.ts';
import { type ObjectTarget, type S3Answer, type S3Request, headerOf, mustWrite, openObject } from '../request.ts';
import { documentOf, element, isoTime } from '../xml.ts';
import { mustHold } from './conditions.ts';
import { type Folders, isCode } from './folders.ts';
import { metaOf } from './headers.ts';
import type { Meta, ObjectFacts, ObjectMemory } from './memory.ts';
import { fileAt } from './reading.ts';
import { storeObject } from './writing.ts';

interface Deps {
  readonly memory: ObjectMemory;
  readonly folders: Folders;
  readonly listings: Listings;
}

/** What `x-amz-copy-source` names. */
async function sourceTarget({ headers, window }: S3Request): Promise<ObjectTarget> {
  const [path = ''] = (headerOf(headers, 'x-amz-copy-source') ?? '').split('?');
  const written = addressOf(`${s3Root}/${path.replace(/^\//, '').replace(/^%2F/i, '')}`);
  // Some clients encode the slashes too.
  const whole = written.key === undefined && written.bucket?.includes('/') ? splitRootKey(decoded(written.bucket)) : written;
  const address = whole.bucket === rootBucket && whole.key !== undefined ? splitRootKey(whole.key) : whole;
  return openObject(window, address);
}

/** The object that `x-amz-copy-source` names, with what is known of it. Throws PreconditionFailed. */
export async function sourceOf(memory: ObjectMemory, request: S3Request) {
  const { headers, signal } = request;
  const target = await sourceTarget(request);
  if (target.isFolder) throw new S3Error('InvalidArgument', 'A folder cannot be copied.');
  const entry = await fileAt(target, signal);
  const object = await memory.of(target.item, target.path, entry);
  mustHold(headers, { etag: object.etag, modified: entry.modified }, 'x-amz-copy-source-');
  return { target, entry, object };
}

/** A link with one connection for transfers cannot read and write at the same time. */
export function mustPassThrough(from: ObjectTarget, to: ObjectTarget): void {
  if (from.item.userLinkId === to.item.userLinkId && to.item.transferSlots < 2)
    throw new S3Error('NotImplemented', 'This needs three connections to the storage. Please allow the link more of them.');
}

/** CopyObject: by the source itself where it can, otherwise through this server. */
export async function copyObject(deps: Deps, request: S3Request): Promise<S3Answer> {
  const { headers, window } = request;
  mustWrite(window);
  const to = await openObject(window, request.address);
  const replaces = headerOf(headers, 'x-amz-metadata-directive')?.toUpperCase() === 'REPLACE';
  if (to.isFolder) return copyMarker(deps, request, to, replaces);
  const from = await sourceOf(deps.memory, request);
  const meta = replaces ? metaOf(headers) : from.object.meta;
  const isSelf = from.target.item.userLinkId === to.item.userLinkId && from.target.path === to.path;
  if (isSelf && !replaces) throw new S3Error('InvalidArgument', 'An object cannot be copied to itself without new metadata.');
  const work = async (): Promise<string> => {
    const etag = isSelf ? from.object.etag : await copyFile(deps, request, from, to, meta);
    if (isSelf) await deps.memory.keep(to.item, to.path, from.entry, { etag, meta });
    return documentOf('CopyObjectResult', element('LastModified', isoTime(Date.now() / 1000)), element('ETag', `"${etag}"`));
  };
  return { status: 200, body: work() };
}

/** Copies the object that a folder is; s3fs changes a folder's headers by copying it to itself. */
async function copyMarker({ memory, folders }: Deps, request: S3Request, to: ObjectTarget, replaces: boolean): Promise<S3Answer> {
  const { headers, window, signal } = request;
  const from = await sourceTarget(request);
  if (!from.isFolder) throw new S3Error('InvalidArgument', 'A file cannot be copied to a folder.');
  const mark = await memory.markAt(from.item, from.path);
  if (!mark) throw new S3Error('NoSuchKey');
  const meta = replaces ? metaOf(headers) : (JSON.parse(mark.meta) as Meta);
  await folders.make(window, to.item, to.path, signal);
  await memory.mark(to.item, to.path, mark.etag, meta);
  const facts = [element('LastModified', isoTime(Date.now() / 1000)), element('ETag', `"${mark.etag}"`)];
  return { status: 200, body: documentOf('CopyObjectResult', ...facts) };
}

interface From {
  readonly target: ObjectTarget;
  readonly entry: Entry;
  readonly object: ObjectFacts;
}

/** Returns the tag of the copy. */
async function copyFile(deps: Deps, request: S3Request, from: From, to: ObjectTarget, meta: Meta): Promise<string> {
  const { window, signal } = request;
  await deps.folders.make(window, to.item, parentOf(to.path), signal);
  const made = await bySource(deps, from, to, signal);
  if (made) {
    const known = from.object.etag.endsWith('-1') ? (await deps.memory.of(to.item, to.path, made)).etag : from.object.etag;
    await deps.memory.keep(to.item, to.path, made, { etag: known, meta });
    return known;
  }
  mustPassThrough(from.target, to);
  const { connector } = from.target.item;
  const body = await connector.read(from.target.path, { signal, known: from.entry });
  const size = body.size ?? from.entry.size;
  if (size === undefined) {
    body.cancel();
    throw new S3Error('NotImplemented', 'The storage does not tell the size of this file.');
  }
  const hashes = createHashSet(['md5'], size);
  let etag = '';
  const stream: Readable = streamOf(body, (chunk) => hashes.update(chunk));
  try {
    const own =
      from.entry.modified !== undefined && meta.own['mtime'] === undefined ? { mtime: String(from.entry.modified), ...meta.own } : meta.own;
    const digest = hashes.digest.bind(hashes);
    await storeObject(deps, request, to, {
      size,
      meta: { ...meta, own },
      mustBeNew: false,
      source: { body: () => stream },
      etag: async () => (etag = (await digest()).md5 ?? ''),
    });
  } finally {
    stream.destroy();
    hashes.cancel();
  }
  return etag;
}

/** Lets the source make the copy; undefined where it cannot, or the name is taken. */
async function bySource(
  { listings, memory }: Deps,
  { target: from }: From,
  to: ObjectTarget,
  signal: AbortSignal,
): Promise<Entry | undefined> {
  const { copy } = to.item.connector;
  if (!copy || from.item.userLinkId !== to.item.userLinkId) return undefined;
  try {
    const entry = await copy(from.path, to.path, { signal });
    await memory.forget(to.item, to.path);
    await listings.note(to.item.userLinkId, parentOf(to.path), { put: entry });
    return entry;
  } catch (error) {
    if (isCode(error, 'SOURCE_CANNOT', 'NAME_TAKEN')) return undefined;
    throw error;
  }
}
