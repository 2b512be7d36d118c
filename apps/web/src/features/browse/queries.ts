import { type Item, addFolder, allLinks, deleteObject, getMore, limits, remoteUpdate, renameObject, resolvePath } from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import { leaveWhenSignedOut, queryClient } from '#/lib/query-client.ts';
import { send } from '#/lib/send.ts';
import { type Listing, createListing } from './listing.ts';
import type { FolderView } from './view-address.ts';

/** What a path of names leads to: the item and the folders above it, the link first. */
export const resolved = (names: readonly string[]) =>
  queryOptions({
    queryKey: ['resolve', names],
    queryFn: ({ signal }) => send(resolvePath, { path: names.join('/') }, signal),
    staleTime: 300_000,
  });

/** Notes what a path leads to when it is known already, so that opening a folder asks nothing. */
export const noteResolved = (names: readonly string[], item: Item, ancestors: readonly Item[]): void =>
  void queryClient.setQueryData(resolved(names).queryKey, { item, ancestors: [...ancestors] });

/** The user's links, as My links has them. */
export const linkGroups = queryOptions({ queryKey: ['links'], queryFn: ({ signal }) => send(allLinks, {}, signal) });

/** The first folders of a folder, for the menus of the breadcrumb. */
export const foldersIn = (linkUri: string) =>
  queryOptions({
    queryKey: ['folders', linkUri],
    queryFn: async ({ signal }) => {
      const view = { sort: 'name', order: 'asc', fresh: false, refresh: false, limit: 200 } as const;
      const { items } = await send(remoteUpdate, { linkUri, ...view }, signal);
      return items.filter(({ fileType }) => fileType === 'FOLDER');
    },
  });

queryClient.setQueryDefaults(['listing'], { gcTime: 300_000, staleTime: Infinity });

/** The listing of a folder in this view; kept for a while, so that going back shows it at once. */
export function listingOf(linkUri: string, { sort, order, filter }: FolderView): Listing {
  const key = ['listing', linkUri, sort, order, filter];
  const known = queryClient.getQueryData<Listing>(key);
  if (known) return known;
  const view = { linkUri, sort, order, ...(filter === '' ? {} : { filter }) };
  const listing = createListing(
    {
      first: (asking, signal) =>
        send(remoteUpdate, { ...view, fresh: asking === 'anyway', refresh: asking !== 'known', limit: limits.pageSize }, signal),
      more: (offset, limit, signal) => send(getMore, { ...view, offset, limit }, signal),
    },
    leaveWhenSignedOut,
  );
  queryClient.setQueryData(key, listing);
  return listing;
}

export const makeFolder = (parentLinkUri: string, folderName: string, conflict: 'rename' | 'fail'): Promise<Item> =>
  send(addFolder, { parentLinkUri, folderName, conflict });
export const renameItem = (linkUri: string, newName: string): Promise<Item> => send(renameObject, { linkUri, newName });
export const deleteItem = async (linkUri: string): Promise<void> => void (await send(deleteObject, { linkUri }));
