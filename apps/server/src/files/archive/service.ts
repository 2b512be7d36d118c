import { hash } from 'node:crypto';
import { type Body, nameOf, parentOf } from '@sheaf/connectors';
import { safeName } from './entry-names.ts';
import { type ArchiveEntry, type ArchiveItem, walk } from './walk.ts';
import { createWindow } from './window.ts';
import { writeZip } from './write-zip.ts';
import { zipItemOf } from './zip-item.ts';
import { type ZipItem, centralHeaderLength, descriptorLength, endLength, localHeaderLength } from './zip-records.ts';

/** Entries that are looked at before the first byte is sent, and for how long, so that the length can be told and the archive resumed; ms. */
const mostPlanned = 20_000;
const planningTime = 8000;
/** Archives whose checksums are kept, for those who come back for the rest. */
const remembered = 32;

/** What is known of an archive of which all is known beforehand. */
interface Plan {
  readonly size: number;
  /** Changes with every name, size and time in it; absent where a file tells neither a time nor a tag of its own. */
  readonly etag: string | undefined;
  /** Where each entry begins, and the directory. */
  readonly offsets: readonly number[];
  readonly crcs: (number | undefined)[];
}

/** An archive that is about to be sent. */
export interface Archive {
  /** Bytes and tag, where they can be told. */
  readonly known: Pick<Plan, 'size' | 'etag'> | undefined;
  /** By what an archive of it is called, without extension. */
  readonly name: string;
  /** Whether a part from there on can be sent without reading what lies before it again. */
  canBegin(start: number): boolean;
  /** The zip, or a part of it; the source is read as it is drained. */
  read(range?: { readonly start: number; readonly end: number }): Body;
  /** To be called when nothing is read after all. */
  close(): Promise<void>;
}

interface Options {
  readonly takesLinks: boolean;
  /** Ends the archive when the client goes. */
  readonly signal: AbortSignal;
}

export type Archives = ReturnType<typeof createArchives>;

/** Zips of items of open links. */
export function createArchives() {
  const crcsByTag = new Map<string, (number | undefined)[]>();

  /** Checksums of the archive of that tag, as far as they are known; added to by whoever sends it. */
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
    /** Looks at what is to be packed, for so long that its size can be told, if it can. Rejects with what the source refuses. */
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
              // What is being read ahead is read for nobody.
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

/** One item gives its name; several that of the folder they lie in. */
function nameOfArchive([first, ...others]: readonly ArchiveItem[]): string {
  const path = others.length === 0 ? first?.path : parentOf(first?.path ?? '/');
  const name = path === undefined || path === '/' ? first?.name : nameOf(path);
  return safeName(name ?? '') ?? 'Sheaf';
}

/** What a source gives first, and whether that is all. */
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
