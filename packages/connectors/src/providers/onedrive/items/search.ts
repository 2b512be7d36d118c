import type { CallOptions, Found } from '../../../core/connector.ts';
import { nameOf } from '../../../kit/names/path.ts';
import { pagesInParallel } from '../../../kit/rest/paging.ts';
import type { Graph } from '../account/client.ts';
import { DriveItem, addressOf, changedFields, readItem } from '../api.ts';
import type { DriveTree } from './items.ts';
import { type Base, basesUnder, createPlaces } from './places.ts';

/** Concurrent library searches. */
const width = 4;
const pageSize = 200;

/** Searches names and contents below the folder; for a folder above drives, in every library below it. */
export async function* searchItems(
  graph: Graph,
  tree: DriveTree,
  folder: string,
  { query, signal }: CallOptions & { readonly query: string },
): AsyncGenerator<readonly Found[]> {
  const bases = await basesUnder(tree, folder, { signal });
  const [only] = bases;
  if (only && bases.length === 1) return yield* searchIn(graph, only, query, signal);
  const all = pagesInParallel(bases.length, width, { signal }, async (index) => {
    const base = bases[index];
    const found: Found[] = [];
    if (base) for await (const batch of searchIn(graph, base, query, signal)) found.push(...batch);
    return found;
  });
  for await (const found of all) if (found.length > 0) yield found;
}

async function* searchIn(graph: Graph, base: Base, query: string, signal: AbortSignal): AsyncGenerator<readonly Found[]> {
  const { drive } = base.inside;
  const places = createPlaces(graph, base, { signal });
  const text = encodeURIComponent(query.replaceAll("'", "''")).replaceAll("'", '%27');
  const request = { url: `${addressOf(base.inside)}/search(q='${text}')`, query: { $top: pageSize, $select: changedFields }, signal };
  for await (const page of graph.pages(DriveItem, request)) {
    const rows = await Promise.all(
      page.map(async (wire): Promise<Found[]> => {
        const item = readItem(wire, drive);
        const path = item && !wire.root ? await places.pathOf(wire) : undefined;
        return item && path !== undefined && path !== base.path
          ? [{ path, entry: { ...item.entry, name: nameOf(path), kind: item.kind } }]
          : [];
      }),
    );
    const found = rows.flat();
    if (found.length > 0) yield found;
  }
}
