import { type Compared, type DuplicateGroup, compareFiles, duplicates, folderUsage } from '@sheaf/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** What uses the room below a folder, or in all links. */
export const usageOf = (linkUri: string | undefined) =>
  queryOptions({
    queryKey: ['usage', linkUri ?? ''],
    queryFn: ({ signal }) => send(folderUsage, linkUri === undefined ? {} : { linkUri }, signal),
    staleTime: 0,
  });

const groupsAtOnce = 25;

/** Groups of files of one size, in a link or in all links. */
export const duplicateGroups = (userLinkId: string | undefined, minBytes: number) =>
  infiniteQueryOptions({
    queryKey: ['duplicates', userLinkId ?? '', minBytes],
    queryFn: ({ pageParam, signal }) =>
      send(duplicates, { ...(userLinkId !== undefined && { userLinkId }), minBytes, offset: pageParam, limit: groupsAtOnce }, signal),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.hasMore ? pages.length * groupsAtOnce : undefined),
    staleTime: 0,
  });

/** Compares the contents of a group's files; with `read` also by reading them. */
export const compare = ({ items }: DuplicateGroup, read: boolean, signal: AbortSignal): Promise<Compared> =>
  send(compareFiles, { linkUri: items.slice(0, 20).map(({ linkUri }) => linkUri), read }, signal);
