import { Readable } from 'node:stream';
import type { Ask } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { collect } from '../body/body.ts';
import { inParallel } from '../concurrency/parallel.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** The key in each folder of what its last listing learned; hidden from listings. */
export const timesName = '.sheaf-times';

/** Heads asked at once, when file times are not known. */
const width = 16;
/** A listing keeps what it learned once it had to ask for more objects than this: fewer cost the next listing one round trip. */
const worthKeeping = width;
/** A larger file of times is not read. */
const longestFile = 32 << 20;
/**
 * Seconds that must have passed since an object's last write before what was learned of it is kept: stores tell that time in whole seconds, some
 * rounded up, so that a second write of the same bytes in the same second could not be told from the first.
 */
const settledAfter = 2;
/** Objects whose time the open connector keeps in mind. */
const mostRemembered = 50_000;

/** One line of the file: key's last part, etag, modified, file time; JSON. */
type Line = readonly [string, string, number, number];

/**
 * Tells file times where listings do not. The truth is each object's own metadata; the file of times only saves asking for it. A line of it counts while
 * etag and time of the last write are those of the listing, so that other writers, old lines and lost updates cost questions but never give a wrong time.
 */
export function createTimes(store: ObjectStore) {
  const remembered = new Map<string, number>();
  let mayWrite = true;

  const learn = (object: StoredObject, time: number): void => {
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(identity(object), time);
  };

  return {
    /** Takes note of an object just written. */
    written: (object: StoredObject): void => learn(object, object.fileTime ?? object.modified ?? 0),

    /** For one listing of the folder whose keys begin with `prefix`. */
    async ofFolder(prefix: string, ask: Ask) {
      const known = await readTimes(store, prefix, ask);
      const settled = ({ modified = 0 }: StoredObject): boolean => modified + settledAfter < Date.now() / 1000;
      const lines: Line[] = [];
      let asked = 0;

      /** Undefined when the object cannot be asked for it. */
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
        /** The same objects with their file times. */
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
        /** Keeps what was learned for the next listing. Where that cannot be written, listings go without. */
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

async function readTimes(store: ObjectStore, prefix: string, ask: Ask): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  const text = await readText(store, prefix + timesName, ask);
  for (const row of text.split('\n')) {
    const line = parseLine(row);
    if (line) known.set(identity({ key: prefix + line[0], etag: line[1], modified: line[2], size: 0 }), line[3]);
  }
  return known;
}

/** The text under the key; '' when there is none, or it is too long. */
async function readText(store: ObjectStore, key: string, ask: Ask): Promise<string> {
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

/** What may be listed need not be readable too: to a key without that right, or to one without the object's own key of encryption. */
function orNothing(error: unknown): undefined {
  if (!isKind(error, 'forbidden', 'unexpected') || error.retryable) throw error;
}

/** A line that is not one of ours says nothing. */
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
