import { queryClient } from '#/lib/query-client.ts';
import { type ClearFolder, type ClearItem, clearFolder } from './listing.ts';
import type { Place } from './own-parts.ts';

/** An item below a folder that is walked, with the folder in which it lies. */
export interface Walked {
  readonly item: ClearItem;
  readonly folder: ClearFolder;
  readonly place: Place;
  /** Clear names from below the walk's start to the item. */
  readonly path: readonly string[];
}

/**
 * The contents of a folder as they are now. A listing from memory, or one that is under way, may have begun before the last upload: whoever copies what
 * is there would silently leave something out.
 */
export async function readFolder({ vaultId, rootUri, linkUri }: Place): Promise<ClearFolder> {
  const query = clearFolder(vaultId, rootUri, linkUri);
  // Joined rather than cancelled, because others wait for it; its failure is theirs.
  if (queryClient.getQueryState(query.queryKey)?.fetchStatus === 'fetching') await queryClient.fetchQuery(query).catch(() => undefined);
  return queryClient.fetchQuery({ ...query, staleTime: 0 });
}

/** Items of a folder and of all folders below it: first those that are near. */
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
