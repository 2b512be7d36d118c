import { Readable } from 'node:stream';
import type { CallOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { collect } from '../body/body.ts';
import { inParallel } from '../concurrency/parallel.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** Name of the object in each folder that caches the file times of its last listing; hidden from listings. */
export const timesName = '.sheaf-times';

/** Maximum concurrent HEAD requests for unknown file times. */
const width = 16;
/** A listing stores its cache only if it had to request more objects than this: fewer take the next listing only one round trip. */
const worthKeeping = width;
/** Maximum size of a cache that is read, in bytes. */
const longestFile = 32 << 20;
/**
 * Seconds that must have passed since an object's last write before it is cached: stores report that time in whole seconds, some rounded
 * up, so that a second write of the same bytes within a second would go unnoticed.
 */
const settledAfter = 2;
/** Maximum number of objects whose time the open connector keeps in memory. */
const mostRemembered = 50_000;

/** One line of the cache: key's last segment, etag, modified, file time; JSON. */
type Line = readonly [string, string, number, number];

/**
 * Supplies file times where listings lack them. Each object's own metadata is authoritative; the cache only saves requests. A line counts
 * only if etag and write time equal those of the listing: other writers, old lines and lost updates cost requests but never give a wrong
 * time.
 */
export function createTimes(store: ObjectStore) {
  const remembered = new Map<string, number>();
  let mayWrite = true;

  const learn = (object: StoredObject, time: number): void => {
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(identity(object), time);
  };

  return {
    /** Records an object just written. */
    written: (object: StoredObject): void => learn(object, object.fileTime ?? object.modified ?? 0),

    /** Returns the times for one listing of the folder with that prefix. */
    async ofFolder(prefix: string, ask: CallOptions) {
      const known = await readTimes(store, prefix, ask);
      const settled = ({ modified = 0 }: StoredObject): boolean => modified + settledAfter < Date.now() / 1000;
      const lines: Line[] = [];
      let asked = 0;

      /** Returns undefined when the object's metadata cannot be read. */
      const timeOf = async (object: StoredObject): Promise<number | undefined> => {
        const id = identity(object);
        const time = remembered.get(id) ?? known.get(id);
        if (time !== undefined) return time;
        asked += 1;
        const found = await store.head(object.key, ask).catch(orNothing);
        if (!found) return undefined;
        const learned = found.fileTime ?? object.modified ?? 0;
        if (settled(object)) learn(object, learned);
        return learned;
      };

      return {
        /** Returns the same objects with their file times. */
        async resolve(objects: readonly StoredObject[]): Promise<StoredObject[]> {
          const resolved: StoredObject[] = objects.slice();
          await inParallel(objects.entries(), width, async ([index, object]) => {
            const fileTime = await timeOf(object);
            if (fileTime === undefined) return;
            resolved[index] = { ...object, fileTime };
            if (settled(object)) lines.push([object.key.slice(prefix.length), object.etag ?? '', object.modified ?? 0, fileTime]);
          });
          return resolved;
        },
        /** Stores the cache for the next listing. A failure is ignored: the next listing then sends the requests again. */
        async keep(): Promise<void> {
          if (asked <= worthKeeping || !mayWrite) return;
          const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
          try {
            await store.put(prefix + timesName, Readable.from([text]), { ...ask, size: text.byteLength, mimeType: 'application/x-ndjson' });
          } catch (error) {
            if (!(error instanceof ConnectorError) || error.kind === 'aborted') throw error;
            mayWrite = false;
          }
        },
      };
    },
  };
}

export type Times = ReturnType<typeof createTimes>;

const identity = ({ key, etag, modified }: StoredObject): string => `${etag ?? ''} ${modified ?? 0} ${key}`;

async function readTimes(store: ObjectStore, prefix: string, ask: CallOptions): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  const text = await readText(store, prefix + timesName, ask);
  for (const row of text.split('\n')) {
    const line = parseLine(row);
    if (line) known.set(identity({ key: prefix + line[0], etag: line[1], modified: line[2], size: 0 }), line[3]);
  }
  return known;
}

/** Returns the text under the key; '' when it is missing or too long. */
async function readText(store: ObjectStore, key: string, ask: CallOptions): Promise<string> {
  try {
    const { object, body } = await store.get(key, ask);
    if (object.size <= longestFile) return (await collect(body(), longestFile)).toString();
    body().cancel();
    return '';
  } catch (error) {
    if (isKind(error, 'notFound')) return '';
    return orNothing(error) ?? '';
  }
}

/** A listed object may be unreadable: for an access key without that permission, or without the object's own encryption key. */
function orNothing(error: unknown): undefined {
  if (!isKind(error, 'forbidden', 'unexpected') || error.retryable) throw error;
}

/** Returns undefined for an invalid line. */
function parseLine(row: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(row);
    return isLine(line) ? line : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isLine = (line: unknown): line is Line =>
  Array.isArray(line) && ['string', 'string', 'number', 'number'].every((type, index) => typeof line[index] === type);
