import type { Readable } from 'node:stream';
import type { Entry, WriteOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type BodyReader, createBodyReader } from '../../kit/body/body-reader.ts';
import { type Chunks, lengthOf } from '../../kit/body/chunks.ts';
import { markHandled } from '../../kit/concurrency/mark-handled.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { retryWhileBusy, uploadWait } from '../../kit/concurrency/retry-busy.ts';
import { assertSame } from '../../kit/hash/content-hash.ts';
import { blockHashes, blockSize, hashOfBlocks } from '../../kit/hash/dropbox-hash.ts';
import { Metadata, Nothing, Session, pathArg, timeArg, toEntry } from './api.ts';
import type { DropboxClient } from './client.ts';

/**
 * Bytes of one request. A concurrent session takes multiples of 4 MiB, except for the last part. Each part is held in memory so that its
 * hash can be sent first and it can be retried.
 */
const partSize = 2 * blockSize;
/** Concurrent parts. */
const width = 3;

interface Part {
  readonly bytes: Chunks;
  readonly size: number;
  /** The hashes of the part's blocks. */
  readonly hashes: Promise<Buffer>;
}

/** A part with its offset in the file. */
type Placed = Part & { readonly offset: number };

/**
 * Stores a file: in one request up to 8 MiB, in an upload session above. Dropbox verifies each request's hash, so that a damaged upload
 * never replaces a file; the file appears when it is complete. Dropbox discards unfinished sessions.
 */
export async function uploadFile(client: DropboxClient, path: string, body: Readable, ask: WriteOptions): Promise<Entry> {
  try {
    const reader = createBodyReader(body, ask.signal);
    const first = await nextPart(reader, ask);
    assertSize(first.size, ask, first.size < partSize);
    const entry = first.size < partSize ? uploadWhole(client, path, first, ask) : uploadInSession(client, path, first, reader, ask);
    return await entry;
  } finally {
    body.destroy();
  }
}

async function nextPart(reader: BodyReader, { size }: WriteOptions): Promise<Part> {
  const blocks = blockHashes(size);
  try {
    const bytes = await reader.gather(partSize, blocks.update);
    return { bytes, size: lengthOf(bytes), hashes: markHandled(blocks.digest()) };
  } finally {
    blocks.cancel();
  }
}

/** Throws `sizeDiffers` as soon as the bytes cannot match the announced size. */
function assertSize(came: number, { size }: WriteOptions, isAll: boolean): void {
  if (size !== undefined && (isAll ? came !== size : came > size))
    throw new ConnectorError('sizeDiffers', `${came} of ${size} bytes came${isAll ? '' : ' so far'}`);
}

/** Returns Dropbox's description of an upload's destination. */
export const commitOf = (path: string, { ifExists, modified }: Pick<WriteOptions, 'ifExists' | 'modified'>) => ({
  path: pathArg(path),
  mode: ifExists === 'fail' ? 'add' : 'overwrite',
  autorename: false,
  // Without this, a file with the same bytes would not count as a conflict.
  strict_conflict: ifExists === 'fail',
  ...(modified !== undefined && { client_modified: timeArg(modified) }),
});

async function uploadWhole(client: DropboxClient, path: string, { bytes, hashes }: Part, ask: WriteOptions): Promise<Entry> {
  const hash = hashOfBlocks(await hashes);
  const arg = { ...commitOf(path, ask), content_hash: hash };
  const metadata = await retryWhileBusy(ask.signal, () => client.upload(Metadata, 'files/upload', arg, bytes, ask.signal), mayRepeat(ask));
  assertSame(hash, metadata.content_hash ?? undefined);
  return toEntry(metadata, 'file');
}

async function uploadInSession(client: DropboxClient, path: string, first: Part, reader: BodyReader, ask: WriteOptions): Promise<Entry> {
  const { signal } = ask;
  const blocks: Promise<Buffer>[] = [];
  let size = 0;
  let last: Placed | undefined;

  /** All parts except the last, which is recognised by having no successor. */
  async function* earlier(): AsyncGenerator<Placed> {
    for (let part = first; part.size > 0;) {
      const placed = { ...part, offset: size };
      blocks.push(part.hashes);
      size += part.size;
      part = await nextPart(reader, ask);
      assertSize(size + part.size, ask, part.size === 0);
      if (part.size > 0) yield placed;
      else last = placed;
    }
  }

  const { session_id } = await retryWhileBusy(
    signal,
    () => client.upload(Session, 'files/upload_session/start', { session_type: 'concurrent' }, [], signal),
    always,
  );
  const append = async ({ bytes, offset, hashes }: Placed, close: boolean): Promise<void> => {
    const arg = { cursor: { session_id, offset }, close, content_hash: hashOfBlocks(await hashes) };
    const send = () => client.upload(Nothing, 'files/upload_session/append_v2', arg, bytes, signal);
    await retryWhileBusy(signal, send, always, uploadWait).catch((error: unknown) => {
      // The last part had arrived and only its response was lost: finishing the session verifies that everything is there.
      if (!close || !isKind(error, 'interrupted') || error.details['code'] !== 'closed') sessionLost(error);
    });
    reader.release(bytes);
  };
  await inParallel(earlier(), width, (part) => append(part, false));
  if (last) await append(last, true);
  const arg = { cursor: { session_id, offset: size }, commit: commitOf(path, ask) };
  const finish = () => client.upload(Metadata, 'files/upload_session/finish', arg, [], signal);
  const hash = hashOfBlocks(Buffer.concat(await Promise.all(blocks)));
  const metadata = await retryWhileBusy(signal, finish, mayRepeat(ask), uploadWait).catch((error: unknown) =>
    finishedAlready(client, path, hash, ask, error),
  );
  assertSame(hash, metadata.content_hash ?? undefined);
  return toEntry(metadata, 'file');
}

/** Returns the finished file when only the response was lost; otherwise rejects with the error. */
async function finishedAlready(client: DropboxClient, path: string, hash: string, ask: WriteOptions, error: unknown): Promise<Metadata> {
  if (ask.ifExists === 'fail' || !isKind(error, 'interrupted')) throw error;
  const there = await client.call(Metadata, 'files/get_metadata', { path }, ask.signal);
  if (there.content_hash !== hash) throw error;
  return there;
}

/** A retry after a lost response may find the file of the first attempt: harmless when it would be replaced anyway. */
const mayRepeat =
  ({ ifExists }: WriteOptions) =>
  (): boolean =>
    ifExists === 'replace';
const always = (): boolean => true;

/** An expired session must not be reported as a missing path. */
function sessionLost(error: unknown): never {
  throw isKind(error, 'notFound') ? new ConnectorError('interrupted', 'the upload session is gone', { cause: error }) : error;
}
