import { type SharedBy, getWeblinks, sharedIn } from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** The user's shares. */
export const shareList = queryOptions({
  queryKey: ['weblinks'],
  queryFn: ({ signal }) => send(getWeblinks, {}, signal),
});

/** Items of a folder that others can see, and by what; what reloads the shares reloads it too. */
export const sharedItems = (linkUri: string) =>
  queryOptions({
    queryKey: [...shareList.queryKey, 'in', linkUri],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, readonly SharedBy[]>> => {
      const { items } = await send(sharedIn, { linkUri }, signal);
      return new Map(items.map((item) => [item.linkUri, item.by]));
    },
    staleTime: 30_000,
  });
