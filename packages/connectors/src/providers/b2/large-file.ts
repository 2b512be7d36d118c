import type { CallOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import type { LeftoverNote, Leftovers } from '../../core/leftovers.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { isOutcomeUnknown, retryWhileBusy, uploadWait } from '../../kit/concurrency/retry-busy.ts';
import type { StoredObject } from '../../kit/object-store/object-store.ts';
import { FileVersion, LargeFile, PartAnswer } from './api.ts';
import type { B2Client } from './client.ts';

/** Destination of a file. */
export interface Target {
  readonly bucketId: string;
  readonly name: string;
}

interface LargeFileOptions {
  readonly begin: { readonly contentType: string; readonly fileInfo: Readonly<Record<string, string>> };
  readonly leftovers: Leftovers;
  readonly signal: AbortSignal;
}

/** Concurrent part copies. */
const width = 4;

/**
 * Creates a file from parts: `send` uploads or copies them and returns their SHA-1s in order. The file appears once all parts are there; on
 * failure the sent parts are deleted at B2. https://www.backblaze.com/docs/cloud-storage-large-files
 */
export async function makeLargeFile(
  client: B2Client,
  target: Target,
  ask: LargeFileOptions,
  send: (fileId: string) => Promise<readonly string[]>,
): Promise<FileVersion> {
  const { signal } = ask;
  const { fileId, note } = await start(client, target, ask);
  try {
    const file = await finish(client, fileId, await send(fileId), signal);
    note.gone();
    return file;
  } catch (error) {
    await giveUp(client, fileId, note, error);
    throw error;
  }
}

/** Begins a large file, noted until it is finished or cancelled. */
export async function start(client: B2Client, { bucketId, name }: Target, { begin, leftovers, signal }: LargeFileOptions) {
  const json = { bucketId, fileName: name, ...begin };
  const { fileId } = await retryWhileBusy(signal, () => client.call('b2_start_large_file', LargeFile, json, signal));
  const note = leftovers.note(fileId);
  await note.kept;
  return { fileId, note };
}

/** Assembles the parts. When the response is lost, asks B2 whether the file exists. */
export async function finish(
  client: B2Client,
  fileId: string,
  partSha1Array: readonly string[],
  signal: AbortSignal,
): Promise<FileVersion> {
  try {
    const json = { fileId, partSha1Array };
    return await retryWhileBusy(
      signal,
      () => client.call('b2_finish_large_file', FileVersion, json, signal, deadlines.longWork),
      undefined,
      uploadWait,
    );
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    const look = AbortSignal.timeout(deadlines.aside);
    const told = await retryWhileBusy(look, () => client.call('b2_get_file_info', FileVersion, { fileId }, look), isOutcomeUnknown);
    if (told.action !== 'upload') throw error;
    return told;
  }
}

/** Cancels a large file. When that also fails, the error contains both failures. */
async function giveUp(client: B2Client, fileId: string, note: LeftoverNote, reason: unknown): Promise<void> {
  try {
    await cancel(client, fileId, AbortSignal.timeout(deadlines.aside));
    note.gone();
  } catch (error) {
    note.stays();
    const kind = reason instanceof ConnectorError ? reason.kind : 'interrupted';
    throw new ConnectorError(kind, 'an upload failed and could not be given up', { cause: new AggregateError([reason, error]) });
  }
}

async function cancel(client: B2Client, fileId: string, signal: AbortSignal): Promise<void> {
  await retryWhileBusy(signal, () => client.call('b2_cancel_large_file', LargeFile, { fileId }, signal));
}

/** Cancels the large file of an orphaned-upload note; does nothing when it is finished or already gone. */
export async function clearUp(client: B2Client, fileId: string, { signal }: CallOptions): Promise<void> {
  try {
    await cancel(client, fileId, signal);
  } catch (error) {
    if (await isUnfinished(client, fileId, signal)) throw error;
  }
}

/** Whether B2 has the large file and is waiting for its parts. */
export async function isUnfinished(client: B2Client, fileId: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.call('b2_get_file_info', FileVersion, { fileId }, signal)).action === 'start';
  } catch (error) {
    if (isKind(error, 'notFound')) return false;
    throw error;
  }
}

/** Copies a file with its metadata, also to another bucket; in parts when it exceeds the limit of a single copy. */
export function createCopy(client: B2Client, { single, part }: { readonly single: number; readonly part: number }, leftovers: Leftovers) {
  return async ({ size, etag: sourceFileId = '' }: StoredObject, target: Target, signal: AbortSignal): Promise<void> => {
    if (size <= single) {
      const json = { sourceFileId, fileName: target.name, destinationBucketId: target.bucketId };
      await client.call('b2_copy_file', FileVersion, json, signal, deadlines.longWork);
      return;
    }
    const { contentType, fileInfo } = await client.call('b2_get_file_info', FileVersion, { fileId: sourceFileId }, signal);
    const begin = { contentType: contentType ?? 'application/octet-stream', fileInfo: fileInfo ?? {} };
    await makeLargeFile(client, target, { begin, leftovers, signal }, async (largeFileId) => {
      const hashes: string[] = Array.from({ length: Math.ceil(size / part) }, () => '');
      await inParallel(hashes.keys(), width, async (index) => {
        const range = `bytes=${index * part}-${Math.min(size, (index + 1) * part) - 1}`;
        const json = { sourceFileId, largeFileId, partNumber: index + 1, range };
        const copyPart = () => client.call('b2_copy_part', PartAnswer, json, signal, deadlines.longWork);
        hashes[index] = (await retryWhileBusy(signal, copyPart, isOutcomeUnknown)).contentSha1;
      });
      return hashes;
    });
  };
}
