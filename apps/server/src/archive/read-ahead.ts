import { appError } from '@sheaf/contract';
import type { ArchiveEntry } from './walk.ts';
import { isSmall, zipItemOf } from './zip-item.ts';
import { localHeaderLength } from './zip-records.ts';

/** Files, and bytes, that are being read ahead or wait for their turn. */
const mostFiles = 32;
const mostBytes = 4 * 1024 * 1024;

/** An entry whose turn has come, with its bytes when it is a small file; room is left before them for its local header. */
export interface Ready {
  readonly at: ArchiveEntry;
  readonly bytes?: Promise<Buffer>;
}

/**
 * The entries in their order, small files on their way from the source before their turn, several at once. Nothing is asked of the source ahead of a large
 * file: a link may have a single connection, and whoever waits for it too long gives up.
 */
export async function* readAhead(
  entries: AsyncIterable<ArchiveEntry>,
  { isNeeded, signal }: { isNeeded: (index: number) => boolean; signal: AbortSignal },
): AsyncGenerator<Ready> {
  const source = entries[Symbol.asyncIterator]();
  const waiting: Ready[] = [];
  let isOver = false;
  let bytesAhead = 0;
  let begun = 0;
  const canGoOn = (): boolean => {
    const last = waiting.at(-1);
    if (!last) return true;
    const isLargeFile = last.at.entry.kind === 'file' && last.bytes === undefined;
    return !isLargeFile && waiting.length < mostFiles && bytesAhead < mostBytes;
  };
  try {
    for (;;) {
      while (!isOver && canGoOn()) {
        const step = await source.next();
        if (step.done) isOver = true;
        else waiting.push(begin(step.value));
      }
      const ready = waiting.shift();
      if (!ready) return;
      if (ready.bytes) bytesAhead -= ready.at.entry.size ?? 0;
      yield ready;
    }
  } finally {
    await source.return?.(undefined);
  }

  function begin(at: ArchiveEntry): Ready {
    if (!isNeeded(begun++) || !isSmall(at)) return { at };
    bytesAhead += at.entry.size ?? 0;
    const bytes = readWhole(at, signal);
    // Who comes to its turn hears of a failure; before that nobody does.
    bytes.catch(() => undefined);
    return { at, bytes };
  }
}

/** A small file's bytes: as many as were announced, else it is another file by now. */
async function readWhole(at: ArchiveEntry, signal: AbortSignal): Promise<Buffer> {
  const { connector, path, provider } = at;
  const room = localHeaderLength(zipItemOf(at));
  const size = room + (at.entry.size ?? 0);
  const whole = Buffer.allocUnsafeSlow(size);
  let filled = room;
  const body = await connector.read(path, { signal });
  try {
    await body.drain(async (chunk) => {
      if (filled + chunk.byteLength > size) throw appError('TRANSFER_CUT', { provider });
      whole.set(chunk, filled);
      filled += chunk.byteLength;
    });
  } finally {
    body.cancel();
  }
  if (filled !== size) throw appError('TRANSFER_CUT', { provider });
  return whole;
}
