import { type SharedBy, type Weblink, getWeblinks, sharedIn } from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** The folder of a share from a vault has an encrypted name, and only the open vault knows what it holds. */
const withShownName = (weblink: Weblink): Weblink => (weblink.sealed === undefined ? weblink : { ...weblink, name: 'Item of a vault' });

/** The user's shares. */
export const shareList = queryOptions({
  queryKey: ['weblinks'],
  queryFn: async ({ signal }) => (await send(getWeblinks, {}, signal)).map(withShownName),
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
