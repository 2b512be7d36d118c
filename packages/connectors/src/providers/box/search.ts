import type { CallOptions, Found } from '../../core/connector.ts';
import { joinPath, nameOf } from '../../kit/names/path.ts';
import { pagesInSequence } from '../../kit/rest/paging.ts';
import { Items, type Node, fieldsWithPlace, pathOf, toNode } from './api.ts';
import type { BoxClient } from './client.ts';

/** Box's maximum page size and number of results. */
const pageSize = 200;
const mostFound = 10_000;

/** Returns matching items below the folder; Box matches names and contents. */
export async function* searchFolder(
  client: BoxClient,
  path: string,
  folder: Node,
  { query, signal }: CallOptions & { readonly query: string },
): AsyncGenerator<readonly Found[]> {
  const pages = pagesInSequence(0, { signal }, async (offset) => {
    const { entries, total_count = 0 } = await client.api.json(Items, {
      method: 'GET',
      url: '/search',
      query: { query, ancestor_folder_ids: folder.id, fields: fieldsWithPlace, limit: pageSize, offset },
      signal,
    });
    const next = offset + pageSize;
    return { page: entries, ...(next < Math.min(total_count, mostFound) && { next }) };
  });
  const below = joinPath(path, '');
  for await (const entries of pages) {
    const found = entries.flatMap((item) => {
      const place = pathOf(item);
      const node = toNode(item);
      if (!node || !place?.startsWith(below)) return [];
      return [{ path: place, entry: { ...node.entry, name: nameOf(place), kind: node.kind } }];
    });
    if (found.length > 0) yield found;
  }
}
