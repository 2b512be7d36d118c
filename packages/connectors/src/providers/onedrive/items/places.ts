import type { CallOptions } from '../../../core/connector.ts';
import { isKind } from '../../../core/error.ts';
import { inParallel } from '../../../kit/concurrency/parallel.ts';
import { nameOfItem } from '../../../kit/id-tree/item-tree.ts';
import { joinPath } from '../../../kit/names/path.ts';
import type { Graph } from '../account/client.ts';
import { DriveItem, type Place, addressOf, changedFields } from '../api.ts';
import type { DriveTree } from './items.ts';

/** A folder, and its path in the link. */
export interface Base {
  readonly path: string;
  readonly inside: Place;
}

/** Returns the drives below a path, or the folder itself when it is inside a drive. */
export async function basesUnder(tree: DriveTree, path: string, ask: CallOptions): Promise<Base[]> {
  const { level, inside } = (await tree.folder(path, ask)).facts;
  if (level === 'drive' || level === 'item') return [{ path, inside }];
  const names: string[] = [];
  for await (const batch of tree.list(path, ask)) names.push(...batch.map(({ name }) => name));
  const found = new Map<string, Base[]>();
  await inParallel(names, 4, async (name) => void found.set(name, await basesUnder(tree, joinPath(path, name), ask)));
  return names.flatMap((name) => found.get(name) ?? []);
}

/**
 * Resolves items to paths by id and parent id: search results and changes contain no paths that are valid for every kind of drive.
 * `undefined` for an item outside the base or deleted. Use one per operation: each folder is requested once.
 */
export function createPlaces(graph: Graph, { path, inside }: Base, { signal }: CallOptions) {
  const folders = new Map<string, Promise<string | undefined>>([[inside.id, Promise.resolve(path)]]);

  async function askFolder(id: string): Promise<string | undefined> {
    try {
      const url = addressOf({ drive: inside.drive, id });
      return await pathOf(await graph.json(DriveItem, { method: 'GET', url, query: { $select: changedFields }, signal }));
    } catch (error) {
      if (isKind(error, 'notFound')) return undefined;
      throw error;
    }
  }

  async function pathOf({ id, name, root, parentReference }: DriveItem): Promise<string | undefined> {
    if (id === inside.id || (root && inside.id === 'root')) return path;
    const parentId = parentReference?.id;
    if (root || !parentId || !name) return undefined;
    const parent = folders.get(parentId) ?? askFolder(parentId);
    folders.set(parentId, parent);
    const folder = await parent;
    return folder === undefined ? undefined : joinPath(folder, nameOfItem(name));
  }
  return { pathOf };
}
