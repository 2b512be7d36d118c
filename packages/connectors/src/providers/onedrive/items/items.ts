import type { CallOptions } from '../../../core/connector.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import type { ItemSource, ItemTree } from '../../../kit/id-tree/item-tree.ts';
import { parentOf, partialPrefix } from '../../../kit/names/path.ts';
import type { Graph } from '../account/client.ts';
import {
  DriveItem,
  type GraphItem,
  type ItemFacts,
  type Place,
  addressOf,
  childAddressOf,
  itemFields,
  readFields,
  readItem,
} from '../api.ts';

export type DriveTree = ItemTree<ItemFacts>;

/** Maximum page size of business drives; personal ones return 200. */
const pageSize = 1000;

export const rootOf = (drive: string, name = ''): GraphItem => {
  const place = { drive, id: 'root' };
  return { id: drive, name, kind: 'folder', entry: {}, facts: { level: 'drive', self: place, inside: place } };
};

/** Lists a folder's items, each once: an item moved during the listing may appear on two pages. */
export async function* childrenOf(graph: Graph, { drive, id }: Place, { signal }: CallOptions): AsyncGenerator<GraphItem[]> {
  const seen = new Set<string>();
  const query = { $top: pageSize, $select: itemFields };
  for await (const page of graph.pages(DriveItem, { url: `${addressOf({ drive, id })}/children`, query, signal })) {
    const items = page.flatMap((wire) => {
      const isHidden = wire.name?.startsWith(partialPrefix) ?? false;
      const item = seen.has(wire.id) || isHidden ? undefined : readItem(wire, drive);
      seen.add(wire.id);
      return item ? [item] : [];
    });
    if (items.length > 0) yield items;
  }
}

/** Returns the child of that name; the service ignores case. */
export async function childNamed(graph: Graph, folder: Place, name: string, { signal }: CallOptions): Promise<GraphItem | undefined> {
  const request = { method: 'GET', url: childAddressOf(folder, name), query: { $select: readFields }, signal };
  try {
    return readItem(await graph.json(DriveItem, request), folder.drive);
  } catch (error) {
    // No item can have an invalid name.
    if (isKind(error, 'notFound', 'badName') || (isKind(error, 'unexpected') && error.details['code'] === 'invalidRequest'))
      return undefined;
    throw error;
  }
}

/** The account's own drive. */
export const driveItems = (graph: Graph): ItemSource<ItemFacts> => ({
  root: rootOf('/me/drive'),
  children: (folder, ask) => childrenOf(graph, folder.facts.inside, ask),
  async named(folder, name, ask) {
    const child = await childNamed(graph, folder.facts.inside, name, ask);
    return child ? [child] : [];
  },
});

/** Returns the item to change; rejects with `unsupported` for sites and libraries, which their owners manage. */
export async function changeable(tree: DriveTree, path: string, ask: CallOptions): Promise<GraphItem> {
  const item = await tree.find(path, ask);
  if (item.facts.level === 'item') return item;
  throw new ConnectorError('unsupported', 'this folder is not kept in a drive');
}

/** Returns the parent folder for a path; rejects with `unsupported` outside drives. */
export async function folderFor(tree: DriveTree, path: string, ask: CallOptions): Promise<Place> {
  const { level, inside } = (await tree.folder(parentOf(path), ask)).facts;
  if (level === 'drive' || level === 'item') return inside;
  throw new ConnectorError('unsupported', 'files lie in libraries only');
}
