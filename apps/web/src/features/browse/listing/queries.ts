import {
  type Item,
  addFolder,
  addOrgFolder,
  allLinks,
  deleteObject,
  deleteOrgObject,
  getMore,
  limits,
  remoteUpdate,
  renameObject,
  renameOrgObject,
  resolvePath,
} from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import type { FolderView } from '#/features/browse/view-address.ts';
import { send } from '#/lib/http/send.ts';
import { leaveWhenSignedOut, queryClient } from '#/lib/query-client.ts';
import { type Listing, createListing } from './listing.ts';

/** Parameter of every call about an organisation's items. */
const asMember = (memberOid: string | undefined) => (memberOid === undefined ? {} : { memberOid });

/** Resolves a path of names: the item and the folders above it, starting with the link. */
export const resolved = (names: readonly string[], memberOid: string | undefined) =>
  queryOptions({
    queryKey: ['resolve', names, memberOid],
    queryFn: ({ signal }) => send(resolvePath, { path: names.join('/'), ...asMember(memberOid) }, signal),
    staleTime: 300_000,
  });

/** Caches what a path resolves to, so that opening a known folder needs no call. */
export const noteResolved = (names: readonly string[], item: Item, ancestors: readonly Item[], memberOid: string | undefined): void =>
  void queryClient.setQueryData(resolved(names, memberOid).queryKey, { item, ancestors: [...ancestors] });

/** The user's links, grouped as on My links. */
export const linkGroups = queryOptions({ queryKey: ['links'], queryFn: ({ signal }) => send(allLinks, {}, signal) });

/** The first subfolders of a folder, for the breadcrumb's menus. */
export const foldersIn = (linkUri: string, memberOid: string | undefined) =>
  queryOptions({
    queryKey: ['folders', linkUri, memberOid],
    queryFn: async ({ signal }) => {
      const view = { sort: 'name', order: 'asc', early: true, fresh: false, refresh: false, limit: 200 } as const;
      const { items } = await send(remoteUpdate, { linkUri, ...view, ...asMember(memberOid) }, signal);
      return items.filter(({ fileType }) => fileType === 'FOLDER');
    },
  });

queryClient.setQueryDefaults(['listing'], { gcTime: 300_000, staleTime: Infinity });

/** The listing of a folder in this view; cached for a while, so that going back shows it at once. */
export function listingOf(linkUri: string, { sort, order, filter }: FolderView, memberOid: string | undefined): Listing {
  const key = ['listing', linkUri, sort, order, filter, memberOid];
  const known = queryClient.getQueryData<Listing>(key);
  if (known) return known;
  const view = { linkUri, sort, order, early: true, ...(filter === '' ? {} : { filter }), ...asMember(memberOid) };
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

/** Calls that change items; an organisation's items have their own. */
export const changesAs = (memberOid: string | undefined) => ({
  makeFolder: (parentLinkUri: string, folderName: string, conflict: 'rename' | 'fail'): Promise<Item> =>
    memberOid === undefined
      ? send(addFolder, { parentLinkUri, folderName, conflict })
      : send(addOrgFolder, { parentLinkUri, folderName, conflict, memberOid }),
  renameItem: (linkUri: string, newName: string): Promise<Item & { readonly undoId?: string }> =>
    memberOid === undefined ? send(renameObject, { linkUri, newName }) : send(renameOrgObject, { linkUri, newName, memberOid }),
  /** Returns whether the deletion can be undone with that id; with `permanently` it passes the hidden bin by. */
  async deleteItem(linkUri: string, undoId: string, permanently: boolean): Promise<boolean> {
    const reply = await (memberOid === undefined
      ? send(deleteObject, { linkUri, undoId, permanently })
      : send(deleteOrgObject, { linkUri, undoId, permanently, memberOid }));
    return reply.undoId !== undefined;
  },
});
