import { type FileAhead, batchOf, batchSize, createFileAhead, readFilesAhead } from './small-files.ts';
import type { ArchiveEntry } from './walk.ts';
import { isSmall } from './zip-item.ts';

/** Limits of requests that are running or waiting for their turn, and of their bytes. */
const mostRequests = 32;
const mostBytes = 4 * batchSize;

/** An entry whose turn has come, with the bytes of a small file; the buffer has room for the local header in front. */
export interface Ready {
  readonly at: ArchiveEntry;
  readonly bytes?: Promise<Buffer>;
}

/**
 * The entries in order; reads several small files ahead. Never reads ahead of a large file: a link may have a single connection, and a request that
 * waits for it too long fails.
 */
export async function* readAhead(
  entries: AsyncIterable<ArchiveEntry>,
  { isNeeded, signal }: { isNeeded: (index: number) => boolean; signal: AbortSignal },
): AsyncGenerator<Ready> {
  const source = entries[Symbol.asyncIterator]();
  const waiting: Ready[] = [];
  let batch: FileAhead[] = [];
  let isOver = false;
  let bytesAhead = 0;
  let begun = 0;
  /** Whether another file fits into the current batch or, without one, another batch may start. */
  const canGoOn = (): boolean => {
    const last = waiting.at(-1);
    if (!last || batch.length > 0) return true;
    const isLargeFile = last.at.entry.kind === 'file' && last.bytes === undefined;
    const files = batchOf(last.at);
    return !isLargeFile && waiting.length <= (mostRequests - 1) * files && bytesAhead + (files > 1 ? batchSize : 0) < mostBytes;
  };
  try {
    for (;;) {
      while (!isOver && canGoOn()) {
        const step = await source.next();
        if (step.done) isOver = true;
        else begin(step.value);
      }
      send();
      const ready = waiting.shift();
      if (!ready) return;
      if (ready.bytes) bytesAhead -= ready.at.entry.size ?? 0;
      yield ready;
    }
  } finally {
    await source.return?.(undefined);
  }

  function begin(at: ArchiveEntry): void {
    if (!isNeeded(begun++) || !isSmall(at)) {
      send();
      waiting.push({ at });
      return;
    }
    if (batch[0] && batch[0].at.connector !== at.connector) send();
    const file = createFileAhead(at);
    batch.push(file);
    waiting.push(file);
    bytesAhead += at.entry.size ?? 0;
    const bytes = batch.reduce((sum, { at: { entry } }) => sum + (entry.size ?? 0), 0);
    if (batch.length >= batchOf(at) || bytes >= batchSize) send();
  }

  function send(): void {
    const files = batch;
    batch = [];
    readFilesAhead(files, signal).catch((error: unknown) => {
      for (const { fail } of files) fail(error);
    });
  }
}
