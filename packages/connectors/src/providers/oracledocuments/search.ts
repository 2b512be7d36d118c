import type { CallOptions, Found } from '../../core/connector.ts';
import { isKind } from '../../core/error.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { type ItemTree, nameOfItem } from '../../kit/id-tree/item-tree.ts';
import { joinPath } from '../../kit/names/path.ts';
import { type Facts, ItemsAnswer, type OracleItem, home, pathOf, toItem } from './api.ts';
import type { Documents } from './documents.ts';

const pageSize = 200;
/** Concurrent path lookups. */
const width = 4;
/** Maximum folder depth. */
const deepest = 100;

/**
 * Searches names and contents below a folder with Oracle's search. Results contain only their parent's id: paths are resolved upwards, each
 * folder once.
 * https://docs.oracle.com/en/cloud/paas/content-cloud/rest-api-documents/op-documents-api-1.2-folders-folderid-search-items-get.html
 */
export const createSearch = (documents: Documents, tree: ItemTree<Facts>) =>
  async function* search(path: string, ask: CallOptions & { readonly query: string }): AsyncGenerator<readonly Found[]> {
    const folder = await tree.folder(path, ask);
    const places = new Map<string, string | undefined>([[await documents.idOf(folder, ask), path]]);

    /**
     * Returns a folder's path; undefined outside the searched folder. Shared items are in the root, whatever their folder at the owner's.
     */
    async function placeOf(id: string, depth = 0): Promise<string | undefined> {
      if (places.has(id) || depth > deepest) return places.get(id);
      const place = await climb(id, depth);
      places.set(id, place);
      return place;
    }

    async function climb(id: string, depth: number): Promise<string | undefined> {
      const item = await documents.itemAt(pathOf({ id, kind: 'folder' }), ask);
      try {
        const above = item.facts.parent === undefined ? undefined : await placeOf(item.facts.parent, depth + 1);
        return above === undefined ? undefined : joinPath(above, nameOfItem(item.name));
      } catch (error) {
        if (isKind(error, 'forbidden', 'notFound') && folder.id === home) return joinPath('/', nameOfItem(item.name));
        throw error;
      }
    }

    /** Requests a folder's parent; a folder deleted or unshared since the search has no path. */
    async function learn(id: string): Promise<void> {
      try {
        await placeOf(id);
      } catch (error) {
        if (!isKind(error, 'forbidden', 'notFound')) throw error;
        places.set(id, undefined);
      }
    }

    function found(item: OracleItem): Found[] {
      const place = places.get(item.facts.parent ?? '');
      if (place === undefined) return [];
      const name = nameOfItem(item.name);
      return [{ path: joinPath(place, name), entry: { ...item.entry, name, kind: item.kind } }];
    }

    const url = folder.id === home ? '/folders/search/items' : `${pathOf(folder)}/search/items`;
    for (let offset = 0, more = true; more; offset += pageSize) {
      const query = { fulltext: ask.query, limit: pageSize, offset };
      const { items = [], hasMore } = await documents.api.json(ItemsAnswer, { method: 'GET', url, query, signal: ask.signal });
      await inParallel(new Set(items.flatMap(({ parentID }) => parentID ?? [])), width, learn);
      const rows = items.map(toItem).flatMap(found);
      if (rows.length > 0) yield rows;
      more = hasMore === '1' && items.length > 0;
    }
  };
