import type { CallOptions, Found } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { joinPath } from '../names/path.ts';
import { createNaming, isMarker, placeOf } from './object-paths.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

interface Rules {
  /** Whether listings hide a key. */
  readonly isHidden: (key: string) => boolean;
  /** Returns the object as listings show it. */
  readonly shown: (object: StoredObject) => StoredObject;
}

/** A folder that contains the current key. */
interface Level {
  readonly prefix: string;
  readonly path: string;
  readonly naming: ReturnType<typeof createNaming>;
}

/**
 * Yields everything below a folder, from the sorted keys of its prefix, as listings of each folder would show it: see `Connector.listTree`.
 */
export async function* treeOf(
  store: ObjectStore,
  folder: string,
  { signal }: CallOptions,
  { isHidden, shown }: Rules,
): AsyncGenerator<readonly Found[]> {
  const { prefix: root } = placeOf(folder);
  const levelOf = (prefix: string, path: string): Level => ({ prefix, path, naming: createNaming(prefix) });
  const levels: Level[] = [levelOf(root, folder)];
  let isThere = root === '';

  function* foundBy(object: StoredObject): Generator<Found> {
    const { key } = object;
    const { at, opened } = levelFor(key);
    yield* opened;
    if (isHidden(key) || (key === at.prefix && isMarker(object))) return;
    const entry = at.naming.file(shown(object));
    yield { path: joinPath(at.path, entry.name), entry };
  }

  /** Returns the folder of a key, and the folders that begin with this key. */
  function levelFor(key: string): { at: Level; opened: Found[] } {
    const opened: Found[] = [];
    while (levels.length > 1 && !key.startsWith(levels.at(-1)?.prefix ?? '')) levels.pop();
    let at = levels.at(-1) ?? levelOf(root, folder);
    for (let end = key.indexOf('/', at.prefix.length); end !== -1; end = key.indexOf('/', at.prefix.length)) {
      const prefix = key.slice(0, end + 1);
      const entry = at.naming.folder(prefix);
      const path = joinPath(at.path, entry.name);
      opened.push({ path, entry });
      at = levelOf(prefix, path);
      levels.push(at);
    }
    return { at, opened };
  }

  for await (const { objects, prefixes } of store.list(root, { signal, deep: true, wholePages: true })) {
    // Above the keys there may be another level, such as the buckets of an account.
    if (prefixes.length > 0) throw new ConnectorError('unsupported', `${folder} has only folders, which are listed one by one`);
    isThere ||= objects.length > 0;
    yield objects.flatMap((object) => [...foundBy(object)]);
    const last = objects.at(-1)?.key;
    if (last !== undefined) for (const { naming } of levels) naming.endPage([last]);
  }
  if (!isThere) throw new ConnectorError('notFound', `${folder} is not there`);
}
