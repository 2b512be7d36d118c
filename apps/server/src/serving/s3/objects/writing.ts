import type { Readable } from 'node:stream';
import { nameOf, parentOf } from '@sheaf/connectors';
import { linkUriOf } from '@sheaf/contract';
import type { Put } from '#/files/bodies/files.ts';
import { S3Error } from '../errors.ts';
import { type ObjectTarget, type S3Answer, type S3Request, mustWrite, openObject } from '../request.ts';
import { payloadOf, sizeOf } from '../signing/payload.ts';
import { asksWrite, mustHold } from './conditions.ts';
import { type Folders, isCode } from './folders.ts';
import { metaOf, modifiedIn } from './headers.ts';
import type { Meta, ObjectMemory } from './memory.ts';
import { fileAt } from './reading.ts';

interface Deps {
  readonly memory: ObjectMemory;
  readonly folders: Folders;
}
const emptyTag = 'd41d8cd98f00b204e9800998ecf8427e';

/** Checks If-Match and If-None-Match of a write; returns whether the object must be new. Throws PreconditionFailed. */
export async function checkWrite(memory: ObjectMemory, target: ObjectTarget, { headers, signal }: S3Request): Promise<boolean> {
  if (!asksWrite(headers)) return false;
  const { item, path } = target;
  try {
    const entry = await fileAt(target, signal);
    const { etag } = await memory.of(item, path, entry);
    mustHold(headers, { etag });
  } catch (error) {
    if (!isCode(error, 'ITEM_NOT_FOUND', 'NOT_A_FOLDER') && !(error instanceof S3Error && error.code === 'NoSuchKey')) throw error;
    // RFC 9110, section 13.1.1: nothing is there to match.
    if (headers['if-match'] !== undefined) throw new S3Error('NoSuchKey', undefined, error);
  }
  return headers['if-none-match']?.trim() === '*';
}

interface Stored {
  readonly size: number;
  readonly meta: Meta;
  readonly mustBeNew: boolean;
  /** The bytes, or a function by which the storage makes the file of bytes that it has already. */
  readonly source: { readonly body: () => Readable } | { readonly assemble: Put };
  /** Known once the body has been read. */
  readonly etag: () => string | Promise<string>;
}

/** Stores a file, makes its folder if that is missing, and remembers the object's tag and headers. */
export async function storeObject(
  { memory, folders }: Deps,
  { window, signal }: Pick<S3Request, 'window' | 'signal'>,
  { item, path }: ObjectTarget,
  { size, meta, mustBeNew, source, etag }: Stored,
): Promise<void> {
  const folder = parentOf(path);
  await folders.make(window, item, folder, signal);
  const modified = modifiedIn(meta);
  try {
    const ask = {
      parentLinkUri: linkUriOf(item.userLinkId, folder),
      name: nameOf(path),
      conflict: mustBeNew ? ('fail' as const) : ('replace' as const),
      size,
      ...(modified !== undefined && { modified: modified * 1000 }),
    };
    const { content } = window;
    const entry = await ('assemble' in source
      ? content.assembleFile(item.userId, ask, source.assemble, signal)
      : content.storeFile(item.userId, ask, source.body(), signal));
    await memory.keep(item, path, { ...entry, size: entry.size ?? size }, { etag: await etag(), meta });
  } catch (error) {
    if (isCode(error, 'NAME_TAKEN') && mustBeNew) throw new S3Error('PreconditionFailed', undefined, error);
    if (isCode(error, 'IS_A_FOLDER')) throw new S3Error('OperationAborted', 'A folder has this name.', error);
    if (!isCode(error, 'ITEM_NOT_FOUND')) throw error;
    folders.forget(item, folder);
    throw new S3Error('SlowDown', 'The folder has just been removed. Please try again.', error);
  }
}

/** PutObject. */
export async function putObject(deps: Deps, request: S3Request): Promise<S3Answer> {
  const { address, headers, window, claim, secret, body: open } = request;
  mustWrite(window);
  const target = await openObject(window, address);
  const size = sizeOf(headers, claim);
  const meta = metaOf(headers);
  if (target.isFolder) return putMarker(deps, request, target, size, meta);
  const mustBeNew = await checkWrite(deps.memory, target, request);
  const payload = { current: undefined as ReturnType<typeof payloadOf> | undefined };
  const body = () => (payload.current = payloadOf({ headers, claim, secret, open })).body;
  try {
    await storeObject(deps, request, target, { size, meta, mustBeNew, source: { body }, etag: () => payload.current?.md5() ?? '' });
  } catch (error) {
    throw payload.current?.failure() ?? error;
  }
  return { status: 200, headers: { etag: `"${payload.current?.md5()}"`, ...payload.current?.checksums() } };
}

/** An empty object with a final slash makes a folder. */
async function putMarker(
  { memory, folders }: Deps,
  request: S3Request,
  { item, path }: ObjectTarget,
  size: number,
  meta: Meta,
): Promise<S3Answer> {
  if (size > 0) throw new S3Error('InvalidArgument', 'A key with a final slash stands for a folder, which has no bytes.');
  await request.text();
  await folders.make(request.window, item, path, request.signal);
  await memory.mark(item, path, emptyTag, meta);
  return { status: 200, headers: { etag: `"${emptyTag}"` } };
}
