import { type PublicItem, archiveWeblink, downloadWeblink, limits, listWeblink, openWeblink, publicPath } from '@sheaf/contract';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { withQuery } from '#/lib/http/form-body.ts';
import { send } from '#/lib/http/send.ts';
import type { ShareAddress } from './share-address.ts';

/** Order of a visitor's list. */
export interface PublicOrder {
  readonly sort: 'name' | 'size' | 'modified';
  readonly order: 'asc' | 'desc';
}

/** Milliseconds between two polls of a folder that the storage is still sending. */
const pollPause = 1000;

/** Opens a share once for all its pages, because each opening counts as a visit. */
export const openedShare = (weblinkId: string) =>
  queryOptions({
    queryKey: ['public', weblinkId, 'open'],
    queryFn: ({ signal }) => send(openWeblink, { weblinkId }, signal),
    staleTime: Infinity,
  });

/** Opens a share with its password. */
export function useOpenShare(weblinkId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => send(openWeblink, { weblinkId, password }),
    onSuccess: (share) => {
      queries.setQueryData(openedShare(weblinkId).queryKey, share);
      return queries.invalidateQueries({ queryKey: ['public', weblinkId, 'rows'] });
    },
  });
}

/** The rows of a shared folder, 25 at a time. */
export const publicRows = ({ weblinkId, path }: ShareAddress, { sort, order }: PublicOrder) =>
  infiniteQueryOptions({
    queryKey: ['public', weblinkId, 'rows', path, sort, order],
    queryFn: ({ pageParam, signal }) =>
      send(listWeblink, { weblinkId, path, offset: pageParam, limit: limits.pageSize, sort, order }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ items, hasMore }, _pages, offset) => (hasMore && items.length > 0 ? offset + items.length : undefined),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.stale === true ? pollPause : false),
  });

/** The file of that name in a shared folder, at any position; undefined when there is none. */
export const publicFile = ({ weblinkId, path }: ShareAddress, name: string) =>
  queryOptions({
    queryKey: ['public', weblinkId, 'file', path, name],
    queryFn: async ({ signal }): Promise<PublicItem | null> => {
      const view = { sort: 'name', order: 'asc', offset: 0, limit: limits.maxPageSize } as const;
      const { items } = await send(listWeblink, { weblinkId, path, filter: name, ...view }, signal);
      return items.find((item) => item.path === publicPath(path, name)) ?? null;
    },
  });

/** Address of a shared file's bytes. */
export const fileHref = (weblinkId: string, path: string): string => withQuery(downloadWeblink.path, { weblinkId, path });

/** Address of a shared folder's zip; '' is the whole share. */
export const zipHref = (weblinkId: string, path: string): string =>
  withQuery(archiveWeblink.path, { weblinkId, ...(path !== '' && { path: [path] }) });
