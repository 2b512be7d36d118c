import {
  type Item,
  addFolder,
  allLinks,
  cancelHandoff,
  completeHandoff,
  defaultNewFolderName,
  getMore,
  handoffStatus,
  limits,
  remoteUpdate,
  renameObject,
} from '@sheaf/contract';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { CallError } from '#/lib/http/call-error.ts';
import { send } from '#/lib/http/send.ts';
import type { PickerLocation } from './location.ts';

/** State of the program's request for a folder. */
export const handoff = (processToken: string) =>
  queryOptions({
    queryKey: ['handoff', processToken],
    queryFn: ({ signal }) => send(handoffStatus, { processToken }, signal),
    staleTime: Infinity,
  });

/** The links, as folders of the first level. */
export const linkFolders = queryOptions({
  queryKey: ['picker', 'links'],
  queryFn: async ({ signal }) => {
    const { activeSources } = await send(allLinks, {}, signal);
    return activeSources.flatMap(({ title, links }) =>
      links.map(({ name, linkUri, formType, thumbnailUrl }) => ({
        name,
        linkUri,
        title,
        iconUrl: thumbnailUrl,
        isSpace: formType === 'SPACES',
      })),
    );
  },
});

const byName = { sort: 'name', order: 'asc', brief: true } as const;

/** The subfolders of a folder, a page at a time; the first page is fetched from the source. */
export const foldersOf = (linkUri: string) =>
  infiniteQueryOptions({
    queryKey: ['picker', 'folders', linkUri],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset, signal }) => {
      if (offset > 0) return { can: undefined, ...(await send(getMore, { linkUri, ...byName, offset, limit: limits.pageSize }, signal)) };
      return send(remoteUpdate, { linkUri, ...byName, fresh: true, refresh: true, limit: limits.pageSize }, signal);
    },
    getNextPageParam: ({ items, hasMore }, pages) =>
      hasMore && items.at(-1)?.fileType === 'FOLDER' ? pages.reduce((count, page) => count + page.items.length, 0) : undefined,
  });

/** Creates a folder and shows it among the others. */
export function useAddFolder() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (parentLinkUri: string): Promise<Item> =>
      send(addFolder, { parentLinkUri, folderName: defaultNewFolderName, conflict: 'rename' }),
    onSuccess: (_, parentLinkUri) => queries.invalidateQueries({ queryKey: foldersOf(parentLinkUri).queryKey }),
  });
}

export function useRenameFolder(parentLinkUri: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ linkUri, newName }: { linkUri: string; newName: string }): Promise<Item> => send(renameObject, { linkUri, newName }),
    onSettled: () => queries.invalidateQueries({ queryKey: foldersOf(parentLinkUri).queryKey }),
  });
}

/** Whether a folder contains anything; a missing one does not. */
async function holdsSomething(linkUri: string): Promise<boolean> {
  try {
    const { items } = await send(remoteUpdate, { linkUri, ...byName, fresh: true, refresh: true, limit: 1 });
    return items.length > 0;
  } catch (error) {
    if (error instanceof CallError && error.is('ITEM_NOT_FOUND')) return false;
    throw error;
  }
}

type Chosen = Pick<PickerLocation, 'destinationPath' | 'linkUri'> & { readonly evaluateMerge: boolean };

/** Sends the chosen folder to the program; with `evaluateMerge` only if it is empty, else returns `notEmpty`. */
export function useChoose(processToken: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ destinationPath, linkUri, evaluateMerge }: Chosen): Promise<'completed' | 'notEmpty'> => {
      if (evaluateMerge && (await holdsSomething(linkUri))) return 'notEmpty';
      await send(completeHandoff, { processToken, processData: JSON.stringify({ destinationPath, linkUri }) });
      return 'completed';
    },
    onSuccess: (end) => (end === 'completed' ? queries.invalidateQueries({ queryKey: handoff(processToken).queryKey }) : undefined),
  });
}

/** Tells the program that the user has cancelled. */
export function useCancel(processToken: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(cancelHandoff, { processToken }),
    onSuccess: () => queries.invalidateQueries({ queryKey: handoff(processToken).queryKey }),
  });
}
