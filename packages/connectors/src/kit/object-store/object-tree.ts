import type { Ask } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import type { LeftoverNote } from '../../core/leftovers.ts';
import { inParallel } from '../concurrency/parallel.ts';
import { patiently } from '../concurrency/patience.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** Copies under way at once. */
const copyWidth = 8;
/** Keys per call of `remove`, which is what S3 takes at most, and calls at once. */
const removeBatch = 1000;
const removeWidth = 2;

/** What was copied: each object's key behind the prefix, and which version of it. */
export type Copied = ReadonlyMap<string, string>;

/**
 * Copies every object under `from` to the same place under `to`. `skip` names those left behind. When one fails the copies made so
 * far are deleted again, and the originals are as they were; unless another process has taken over the note: that one finishes the move,
 * and the copies may be all that is left.
 */
export async function copyTree(
  store: ObjectStore,
  from: string,
  to: string,
  { note, ...ask }: Ask & { readonly skip: (key: string) => boolean; readonly note?: LeftoverNote },
): Promise<Copied> {
  const copied = new Map<string, string>();
  const copyOne = async (object: StoredObject) => {
    const part = object.key.slice(from.length);
    await copyObject(store, object, to + part, ask);
    copied.set(part, versionOf(object));
  };
  try {
    await inParallel(objectsUnder(store, from, ask, ask.skip), copyWidth, copyOne);
  } catch (error) {
    try {
      if (!note || (await note.hold()))
        await tidy(
          store,
          Array.from(copied.keys(), (part) => to + part),
          error,
        );
      note?.gone();
    } catch (trouble) {
      note?.stays();
      throw trouble;
    }
    throw error;
  }
  return copied;
}

/** Deletes everything under the prefix but what `keep` names; directories that the store has there, and the prefix's own, when they are empty, the deepest first. */
export async function removeTree(
  store: ObjectStore,
  prefix: string,
  ask: Ask & { readonly keep?: (object: StoredObject) => boolean },
): Promise<void> {
  const directories = [prefix.slice(0, -1)];
  await inParallel(keyBatches(store, prefix, ask), removeWidth, async (keys) => {
    directories.push(...((await removeObjects(store, keys, ask)) ?? []));
  });
  for (const key of directories.sort().reverse()) await store.removeDirectory?.(key, ask);
}

/** Copies one object; may be asked of a busy store again and again, for a second copy is the same as the first. */
export const copyObject = (store: ObjectStore, from: StoredObject, to: string, ask: Ask): Promise<void> =>
  patiently(
    ask.signal,
    () => store.copy(from, to, ask),
    () => true,
  );

/** Deletes objects, as patiently. */
export const removeObjects = (store: ObjectStore, keys: readonly string[], ask: Ask): Promise<readonly string[] | void> =>
  patiently(
    ask.signal,
    () => store.remove(keys, ask),
    () => true,
  );

/** Deletes the originals of a copy: not what others have put there since, nor what they have changed. */
export const removeCopied = (
  store: ObjectStore,
  prefix: string,
  copied: Copied,
  ask: Ask & { readonly skip: (key: string) => boolean },
): Promise<void> =>
  removeTree(store, prefix, {
    ...ask,
    keep: (object) => !ask.skip(object.key) && copied.get(object.key.slice(prefix.length)) !== versionOf(object),
  });

/** Another one for every write, as far as the store tells. */
export const versionOf = ({ etag = '', modified = 0, size }: StoredObject): string => `${etag} ${modified} ${size}`;

/** Every object under the prefix, page by page, so that its connection is free for other calls in between. */
export async function* objectsUnder(
  store: ObjectStore,
  prefix: string,
  ask: Ask,
  skip: (key: string) => boolean,
): AsyncGenerator<StoredObject> {
  for await (const { objects } of store.list(prefix, { signal: ask.signal, deep: true, wholePages: true }))
    for (const object of objects) if (!skip(object.key)) yield object;
}

async function* keyBatches(
  store: ObjectStore,
  prefix: string,
  { signal, keep = () => false }: Ask & { readonly keep?: (object: StoredObject) => boolean },
): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const object of objectsUnder(store, prefix, { signal }, () => false)) {
    if (keep(object)) continue;
    batch.push(object.key);
    if (batch.length < removeBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Deletes what a failed copy has made; when that fails too, both failures are told. */
async function tidy(store: ObjectStore, keys: readonly string[], reason: unknown): Promise<void> {
  try {
    for (let start = 0; start < keys.length; start += removeBatch)
      await removeObjects(store, keys.slice(start, start + removeBatch), { signal: AbortSignal.timeout(deadlines.aside) });
  } catch (error) {
    throw new ConnectorError('interrupted', 'a copy failed half-way and what it made is still there', {
      cause: new AggregateError([reason, error]),
    });
  }
}
