import { type Body, type Connector, mostSmallFiles, markHandled } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import type { ArchiveEntry } from './walk.ts';
import { zipItemOf } from './zip-item.ts';
import { localHeaderLength } from './zip-records.ts';

/** A small file to read, and the destination of its bytes. */
export interface FileAhead {
  readonly at: ArchiveEntry;
  /** All its bytes, behind room for its local header. A failure is reported when the file's turn comes, not before. */
  readonly bytes: Promise<Buffer>;
  /** Takes missing bytes from the beginning of a chunk; returns their number. */
  take(chunk: Uint8Array): number;
  /** Number of missing bytes. */
  lacks(): number;
  /** Starts over. */
  clear(): void;
  finish(): void;
  fail(error: unknown): void;
}

/** Most bytes requested at once. */
export const batchSize = 2 * 1024 * 1024;
/** Most files requested at once, where the source supports it. */
export const batchOf = ({ connector }: ArchiveEntry): number => (connector.readMany ? mostSmallFiles : 1);

export function createFileAhead(at: ArchiveEntry): FileAhead {
  const room = localHeaderLength(zipItemOf(at));
  const whole = Buffer.allocUnsafeSlow(room + (at.entry.size ?? 0));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let filled = room;
  return {
    at,
    bytes: markHandled(promise),
    take(chunk) {
      const piece = chunk.byteLength > whole.length - filled ? chunk.subarray(0, whole.length - filled) : chunk;
      whole.set(piece, filled);
      filled += piece.byteLength;
      return piece.byteLength;
    },
    lacks: () => whole.length - filled,
    clear: () => void (filled = room),
    finish: () => resolve(whole),
    fail: reject,
  };
}

/** Reads files of one connector: together where possible, and one by one otherwise or after a failure. */
export async function readFilesAhead(files: readonly FileAhead[], signal: AbortSignal): Promise<void> {
  const connector = files[0]?.at.connector;
  if (!connector) return;
  const done = files.length > 1 && connector.readMany ? await readTogether(files, connector.readMany, signal) : 0;
  await Promise.all(files.slice(done).map((file) => readAlone(file, signal)));
}

/** Returns how many of the files are complete. */
async function readTogether(
  files: readonly FileAhead[],
  readMany: NonNullable<Connector['readMany']>,
  signal: AbortSignal,
): Promise<number> {
  let done = 0;
  const finishWhole = (): void => {
    for (let file = files[done]; file?.lacks() === 0; file = files[done]) {
      file.finish();
      done += 1;
    }
  };
  try {
    const asked = files.map(({ at }) => ({ path: at.path, size: at.entry.size ?? 0 }));
    await drained(await readMany(asked, { signal }), (chunk) => {
      finishWhole();
      for (let rest = chunk; rest.byteLength > 0; finishWhole()) {
        const file = files[done];
        if (!file) throw cut(files[0]);
        rest = rest.subarray(file.take(rest));
      }
    });
    finishWhole();
  } catch (error) {
    // Reading them one by one shows which file failed.
    if (signal.aborted) throw error;
  }
  return done;
}

async function readAlone(file: FileAhead, signal: AbortSignal): Promise<void> {
  const { connector, path } = file.at;
  try {
    file.clear();
    await drained(await connector.read(path, { signal }), (chunk) => {
      if (file.take(chunk) < chunk.byteLength) throw cut(file);
    });
    // A different size than announced: the file has changed.
    if (file.lacks() > 0) throw cut(file);
    file.finish();
  } catch (error) {
    file.fail(error);
  }
}

async function drained(body: Body, take: (chunk: Uint8Array) => void): Promise<void> {
  try {
    await body.drain(async (chunk) => take(chunk));
  } finally {
    body.cancel();
  }
}

const cut = (file: FileAhead | undefined): Error => appError('TRANSFER_CUT', { provider: file?.at.provider ?? '' });
