import { queryClient } from '#/lib/query-client.ts';
import { type ClearFolder, type ClearItem, clearFolder } from './listing.ts';
import type { Place } from './own-parts.ts';

/** An item of a walk, with its parent folder. */
export interface Walked {
  readonly item: ClearItem;
  readonly folder: ClearFolder;
  readonly place: Place;
  /** Clear names from below the start of the walk to the item. */
  readonly path: readonly string[];
}

/**
 * Reads the current contents of a folder. A cached listing, or one in progress, may predate the last upload, and a copy based on it would silently
 * omit files.
 */
export async function readFolder({ vaultId, rootUri, linkUri }: Place): Promise<ClearFolder> {
  const query = clearFolder(vaultId, rootUri, linkUri);
  // Awaited, not cancelled, because other callers wait for it; they handle its failure.
  if (queryClient.getQueryState(query.queryKey)?.fetchStatus === 'fetching') await queryClient.fetchQuery(query).catch(() => undefined);
  return queryClient.fetchQuery({ ...query, staleTime: 0 });
}

/** Yields the items of a folder and of all folders below it, breadth first. */
export async function* walk(start: Place, signal: AbortSignal): AsyncGenerator<Walked> {
  const waiting: { place: Place; path: readonly string[] }[] = [{ place: start, path: [] }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    signal.throwIfAborted();
    const { place, path } = next;
    const folder = await readFolder(place);
    for (const item of folder.items) {
      yield { item, folder, place, path: [...path, item.name] };
      if (item.isFolder) waiting.push({ place: { ...place, linkUri: item.item.linkUri }, path: [...path, item.name] });
    }
  }
}
