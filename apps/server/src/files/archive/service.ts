import { hash } from 'node:crypto';
import { type Body, nameOf, parentOf } from '@sheaf/connectors';
import { safeName } from './entry-names.ts';
import { type ArchiveEntry, type ArchiveItem, walk } from './walk.ts';
import { createWindow } from './window.ts';
import { writeZip } from './write-zip.ts';
import { zipItemOf } from './zip-item.ts';
import { type ZipItem, centralHeaderLength, descriptorLength, endLength, localHeaderLength } from './zip-records.ts';

/** Most entries examined before the first byte, and for how long in ms, to determine the length and make the archive resumable. */
const mostPlanned = 20_000;
const planningTime = 8000;
/** Archives whose checksums are kept for resuming. */
const remembered = 32;

/** Known data of an archive that was examined completely. */
interface Plan {
  readonly size: number;
  /** Changes with every name, size and time in it; absent if a file has neither a time nor a tag. */
  readonly etag: string | undefined;
  /** Offset of each entry, and of the directory. */
  readonly offsets: readonly number[];
  readonly crcs: (number | undefined)[];
}

/** An archive before it is sent. */
export interface Archive {
  /** Length and tag, if known. */
  readonly known: Pick<Plan, 'size' | 'etag'> | undefined;
  /** Its name without extension. */
  readonly name: string;
  /** Whether a range from there can be sent without rereading what comes before. */
  canBegin(start: number): boolean;
  /** The zip or a range of it; reads the source as it is drained. */
  read(range?: { readonly start: number; readonly end: number }): Body;
  /** Call it if nothing is read. */
  close(): Promise<void>;
}

interface Options {
  readonly takesLinks: boolean;
  /** Ends the archive when the client disconnects. */
  readonly signal: AbortSignal;
}

export type Archives = ReturnType<typeof createArchives>;

/** Zips of items of open links. */
export function createArchives() {
  const crcsByTag = new Map<string, (number | undefined)[]>();

  /** Known checksums of the archive with that tag; extended while it is sent. */
  function crcsOf(etag: string): (number | undefined)[] {
    const crcs = crcsByTag.get(etag) ?? [];
    crcsByTag.delete(etag);
    crcsByTag.set(etag, crcs);
    for (const oldest of crcsByTag.keys()) {
      if (crcsByTag.size <= remembered) break;
      crcsByTag.delete(oldest);
    }
    return crcs;
  }

  function planOf(entries: readonly ArchiveEntry[]): Plan | undefined {
    const offsets = [0];
    const facts: unknown[] = [];
    let offset = 0;
    let directory = 0;
    for (const at of entries) {
      const item: ZipItem = zipItemOf(at);
      const { size } = item;
      if (size === undefined) return undefined;
      directory += centralHeaderLength({ ...item, size, offset });
      offset += localHeaderLength(item) + size + descriptorLength(item);
      offsets.push(offset);
      facts.push([at.name, size, item.modified, at.entry.etag]);
    }
    const isTold = entries.every(({ entry }) => entry.kind === 'folder' || (entry.etag ?? entry.modified) !== undefined);
    const etag = isTold ? `"${hash('sha256', JSON.stringify(facts), 'base64url').slice(0, 22)}"` : undefined;
    const size = offset + directory + endLength({ count: entries.length, offset, length: directory });
    return { size, etag, offsets, crcs: etag === undefined ? [] : crcsOf(etag) };
  }

  return {
    /** Examines the items within the time limit, to determine the size if possible. Rejects with the source's errors. */
    async open(items: readonly ArchiveItem[], { takesLinks, signal }: Options): Promise<Archive> {
      const giveUp = new AbortController();
      const either = AbortSignal.any([signal, giveUp.signal]);
      const source = walk(items, { takesLinks, signal: either });
      const { looked, isAll } = await lookAhead(source);
      const plan = isAll ? planOf(looked) : undefined;
      const { offsets = [], crcs = [] } = plan ?? {};
      const isKnown = (index: number): boolean => crcs[index] !== undefined;
      return {
        name: nameOfArchive(items),
        known: plan && { size: plan.size, etag: plan.etag },
        canBegin: (start) => offsets.every((_, index) => (offsets[index + 1] ?? Number.POSITIVE_INFINITY) > start || isKnown(index)),
        read: (range) => ({
          ...(plan && { size: range ? range.end - range.start : plan.size }),
          entry: {},
          async drain(take) {
            const window = createWindow(take, range);
            const passedOver = (index: number): number | undefined => {
              const [begin = 0, end = Number.POSITIVE_INFINITY] = offsets.slice(index, index + 2);
              return end <= window.start && isKnown(index) ? end - begin : undefined;
            };
            try {
              await writeZip({ entries: chained(looked, source), window, crcs, passedOver, signal: either });
            } finally {
              // Stops reading ahead.
              giveUp.abort();
            }
          },
          cancel: () => giveUp.abort(),
        }),
        async close() {
          giveUp.abort();
          await source.return(undefined);
        },
      };
    },
  };
}

/** One item gives its name; several give their folder's. */
function nameOfArchive([first, ...others]: readonly ArchiveItem[]): string {
  const path = others.length === 0 ? first?.path : parentOf(first?.path ?? '/');
  const name = path === undefined || path === '/' ? first?.name : nameOf(path);
  return safeName(name ?? '') ?? 'Sheaf';
}

/** The first entries of a source, and whether these are all. */
async function lookAhead(source: AsyncIterator<ArchiveEntry>): Promise<{ looked: ArchiveEntry[]; isAll: boolean }> {
  const looked: ArchiveEntry[] = [];
  const until = Date.now() + planningTime;
  while (looked.length < mostPlanned && Date.now() < until) {
    const step = await source.next();
    if (step.done) return { looked, isAll: true };
    looked.push(step.value);
  }
  return { looked, isAll: false };
}

async function* chained<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
