import { allLinks, binList, getBinSetting, linkUriOf, listChanges } from '@sheaf/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

export const recentChanges = infiniteQueryOptions({
  queryKey: ['changes'],
  queryFn: ({ pageParam, signal }) => send(listChanges, { offset: pageParam, limit: 25 }, signal),
  initialPageParam: 0,
  getNextPageParam: (page, pages) => (page.hasMore ? pages.length * 25 : undefined),
  staleTime: 0,
});

/** The user's links, in one list. */
export const binLinks = queryOptions({
  queryKey: ['changes', 'links'],
  queryFn: async ({ signal }) => {
    const { activeSources } = await send(allLinks, {}, signal);
    return activeSources.flatMap(({ links }) =>
      links.map(({ name, userLinkId }) => ({ linkName: name, linkUri: linkUriOf(userLinkId, '/') })),
    );
  },
});

export const binOf = (linkUri: string) =>
  infiniteQueryOptions({
    queryKey: ['bin', linkUri],
    queryFn: ({ pageParam, signal }) => send(binList, { linkUri, limit: 100, ...(pageParam !== '' && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.cursor,
    staleTime: 0,
    enabled: linkUri !== '',
  });

export const binSetting = queryOptions({ queryKey: ['binSetting'], queryFn: ({ signal }) => send(getBinSetting, {}, signal) });
