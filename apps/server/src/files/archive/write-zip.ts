import { crc32 } from 'node:zlib';
import { appError } from '@sheaf/contract';
import { type Ready, readAhead } from './read-ahead.ts';
import type { ArchiveEntry } from './walk.ts';
import type { Window } from './window.ts';
import { zipItemOf } from './zip-item.ts';
import { type Written, type ZipItem, centralHeader, descriptor, endRecords, isBig, localHeader, localHeaderLength } from './zip-records.ts';

export interface Job {
  readonly entries: AsyncIterable<ArchiveEntry>;
  readonly window: Window;
  /** Checksums by position in the archive, from earlier downloads; extended by this one. */
  readonly crcs: (number | undefined)[];
  /** Number of bytes of the entry at that position, if all are before the window and its checksum is known: then it is skipped. */
  readonly passedOver: (index: number) => number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Writes a zip within its window. Rejects when an entry cannot be read as announced: the zip then ends without its directory, so that it cannot be
 * taken for complete.
 */
export async function writeZip({ entries, window, crcs, passedOver, signal }: Job): Promise<void> {
  const written: Written[] = [];
  const isNeeded = (index: number): boolean => passedOver(index) === undefined;
  for await (const ready of readAhead(entries, { isNeeded, signal })) {
    const item = zipItemOf(ready.at);
    const offset = window.position();
    const known = crcs[written.length];
    const length = passedOver(written.length);
    if (length !== undefined) {
      window.skip(length);
      written.push({ ...item, size: item.size ?? 0, crc: known ?? 0, offset, isBig: isBig(item) });
      continue;
    }
    const sent = item.isFolder ? await writeFolder(item, window) : await writeFile(ready, { item, window, known, signal });
    if (sent) {
      crcs[written.length] = sent.crc;
      written.push({ ...item, ...sent, offset, isBig: isBig(item) });
    }
    if (window.position() >= window.end) return window.flush();
  }
  const offset = window.position();
  for (const item of written) await window.write(centralHeader(item));
  await window.write(endRecords({ count: written.length, offset, length: window.position() - offset }));
  await window.flush();
}

interface Sent {
  readonly size: number;
  readonly crc: number;
}
interface Target {
  readonly item: ZipItem;
  readonly window: Window;
  /** The checksum, if known from an earlier download. */
  readonly known: number | undefined;
  readonly signal: AbortSignal;
}

async function writeFolder(item: ZipItem, window: Window): Promise<Sent> {
  await window.write(localHeader(item));
  return { size: 0, crc: 0 };
}

/** Undefined: the window ends within the file. */
async function writeFile({ at, bytes }: Ready, target: Target): Promise<Sent | undefined> {
  if (!bytes) return streamFile(at, target);
  const whole = await bytes;
  const room = localHeaderLength(target.item);
  const crc = crc32(whole.subarray(room));
  whole.set(localHeader(target.item, crc));
  const size = whole.length - room;
  await target.window.give(whole);
  return { size, crc };
}

async function streamFile({ connector, path, provider }: ArchiveEntry, { item, window, known, signal }: Target): Promise<Sent | undefined> {
  await window.write(localHeader(item));
  const begin = window.position();
  const { size } = item;
  const end = Math.min(size ?? Number.POSITIVE_INFINITY, window.end - begin);
  const isCut = size !== undefined && end < size;
  // Reads the whole file if its checksum, which follows it, is unknown.
  const start = isCut || known !== undefined ? Math.min(Math.max(0, window.start - begin), end) : 0;
  window.skip(start);
  let crc = 0;
  let sent = 0;
  if (size === undefined || start < end) {
    const range = start > 0 || isCut ? { start, end } : undefined;
    const body = await connector.read(path, { signal, ...(range && { range }) });
    try {
      await body.drain((chunk) => {
        sent += chunk.byteLength;
        if (sent > end - start) throw appError('TRANSFER_CUT', { provider });
        crc = crc32(chunk, crc);
        return window.write(chunk);
      });
    } finally {
      body.cancel();
    }
  }
  if (size !== undefined && sent !== end - start) throw appError('TRANSFER_CUT', { provider });
  if (isCut) return undefined;
  const whole = { size: start + sent, crc: start > 0 ? (known ?? 0) : crc };
  await window.write(descriptor(whole.size, whole.crc, isBig(item)));
  return whole;
}
