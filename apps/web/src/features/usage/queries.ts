import {
  type Compared,
  type DuplicateGroup,
  compareFiles,
  duplicates,
  folderUsage,
  getLinkKnowledge,
  keepSearchable,
} from '@sheaf/contract';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

/** Milliseconds between two polls of Sheaf's progress. */
const progressEvery = 10_000;

/** What Sheaf knows of a link; asked again while it reads. */
export const linkKnowledge = (userLinkId: string) =>
  queryOptions({
    queryKey: ['link-knowledge', userLinkId],
    queryFn: ({ signal }) => send(getLinkKnowledge, { userLinkId }, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.state === 'reading' || data?.state === 'paused' ? progressEvery : false),
  });

/** Switches on or off that Sheaf looks into the folders of a link by itself. */
export function useKeepSearchable(userLinkId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wish: { isKept: boolean; forget: boolean }) => send(keepSearchable, { userLinkId, ...wish }),
    onSuccess: async (knowledge) => {
      queries.setQueryData(linkKnowledge(userLinkId).queryKey, knowledge);
      await queries.invalidateQueries({ queryKey: ['usage'] });
    },
    onError: (error) => notifyError(`Cannot change this. ${errorText(error)}`),
  });
}

/** Sizes of the items below a folder, or in all links. */
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
