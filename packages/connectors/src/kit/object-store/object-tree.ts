import type { CallOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import type { LeftoverNote } from '../../core/leftovers.ts';
import { inParallel } from '../concurrency/parallel.ts';
import { retryWhileBusy } from '../concurrency/retry-busy.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** Maximum concurrent copies. */
const copyWidth = 8;
/** Keys per call of `remove` (S3's maximum), and maximum concurrent calls. */
const removeBatch = 1000;
const removeWidth = 2;

/** Copied objects: the version of each, keyed by its key without the prefix. */
export type Copied = ReadonlyMap<string, string>;

/**
 * Copies every object under `from` to the same place under `to`; `skip` excludes keys. On failure deletes the copies again, so that only
 * the originals are left. Keeps them if another process has taken over the note: it finishes the move, and the copies may be all that is
 * left.
 */
export async function copyTree(
  store: ObjectStore,
  from: string,
  to: string,
  { note, ...ask }: CallOptions & { readonly skip: (key: string) => boolean; readonly note?: LeftoverNote },
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

/** Deletes everything under the prefix except `keep`; also the store's empty directories there and the prefix's own, deepest first. */
export async function removeTree(
  store: ObjectStore,
  prefix: string,
  ask: CallOptions & { readonly keep?: (object: StoredObject) => boolean },
): Promise<void> {
  const directories = [prefix.slice(0, -1)];
  await inParallel(keyBatches(store, prefix, ask), removeWidth, async (keys) => {
    directories.push(...((await removeObjects(store, keys, ask)) ?? []));
  });
  for (const key of directories.sort().reverse()) await store.removeDirectory?.(key, ask);
}

/** Copies one object; may be retried while a store is busy, because a second copy equals the first. */
export const copyObject = (store: ObjectStore, from: StoredObject, to: string, ask: CallOptions): Promise<void> =>
  retryWhileBusy(
    ask.signal,
    () => store.copy(from, to, ask),
    () => true,
  );

/** Deletes objects, with the same retries. */
export const removeObjects = (store: ObjectStore, keys: readonly string[], ask: CallOptions): Promise<readonly string[] | void> =>
  retryWhileBusy(
    ask.signal,
    () => store.remove(keys, ask),
    () => true,
  );

/** Deletes the originals of a copy, except those that others have added or changed since. */
export const removeCopied = (
  store: ObjectStore,
  prefix: string,
  copied: Copied,
  ask: CallOptions & { readonly skip: (key: string) => boolean },
): Promise<void> =>
  removeTree(store, prefix, {
    ...ask,
    keep: (object) => !ask.skip(object.key) && copied.get(object.key.slice(prefix.length)) !== versionOf(object),
  });

/** Returns a value that is different for every write, as far as the store reports it. */
export const versionOf = ({ etag = '', modified = 0, size }: StoredObject): string => `${etag} ${modified} ${size}`;

/** Yields every object under the prefix, page by page, so that its connection is free for other calls in between. */
export async function* objectsUnder(
  store: ObjectStore,
  prefix: string,
  ask: CallOptions,
  skip: (key: string) => boolean,
): AsyncGenerator<StoredObject> {
  for await (const { objects } of store.list(prefix, { signal: ask.signal, deep: true, wholePages: true }))
    for (const object of objects) if (!skip(object.key)) yield object;
}

async function* keyBatches(
  store: ObjectStore,
  prefix: string,
  { signal, keep = () => false }: CallOptions & { readonly keep?: (object: StoredObject) => boolean },
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

/** Deletes the objects of a failed copy; if that fails too, reports both failures. */
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
