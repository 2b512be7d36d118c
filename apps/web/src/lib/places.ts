import { type Item, type Place, listPlaces, notePlace, orderPlaces, pinPlace, unpinPlace } from '@sheaf/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from './http/send.ts';
import { logError } from './log.ts';
import { queryClient } from './query-client.ts';

/** The user's pins and recently used items. */
export const places = queryOptions({
  queryKey: ['places'],
  queryFn: ({ signal }) => send(listPlaces, {}, signal),
  staleTime: 30_000,
});

type One = Pick<Item, 'linkUri' | 'fileType'>;
const inputOf = ({ linkUri, fileType }: One) => ({ linkUri, isFolder: fileType === 'FOLDER' });

/** Pins an item to the side menu, or unpins it. */
export function useTogglePin(onError: (error: unknown) => void): (item: One, isPinned: boolean) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ item, isPinned }: { item: One; isPinned: boolean }) =>
      isPinned ? send(unpinPlace, { linkUri: item.linkUri }) : send(pinPlace, inputOf(item)),
    onError,
    onSettled: () => client.invalidateQueries(places),
  });
  return (item, isPinned) => mutate({ item, isPinned });
}

/** Gives pins, or links, the order of these ids; shown at once. */
export function useOrderPlaces(
  onError: (error: unknown) => void,
): (order: { readonly pins?: readonly Place[]; readonly links?: readonly string[] }) => void {
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: ({ pins, links }: { pins?: readonly Place[]; links?: readonly string[] }) =>
      send(orderPlaces, { ...(pins && { pins: pins.map(({ linkUri }) => linkUri) }), ...(links && { links: [...links] }) }),
    onMutate: ({ pins, links }) =>
      client.setQueryData(
        places.queryKey,
        (now) => now && { ...now, ...(pins && { pins: [...pins] }), ...(links && { linkOrder: [...links] }) },
      ),
    onError,
    onSettled: () => client.invalidateQueries(places),
  });
  return mutate;
}

/** Milliseconds after which the side menu shows what was opened: the item itself is to be shown first. */
const shownAfter = 200;

/** Records that the user has opened an item, in the background. A failure is only logged, because the next use is recorded again. */
export function noteUse(item: One): void {
  send(notePlace, inputOf(item))
    .then(() => new Promise((resolve) => setTimeout(resolve, shownAfter)))
    .then(() => queryClient.invalidateQueries(places))
    .catch((error: unknown) => logError('an item could not be noted as used', error));
}
