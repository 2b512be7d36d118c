import { type Weblink, deleteObject, getWeblinks, removeWeblink } from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';
import { askWorker } from '../crypt/client.ts';
import { isShareFolder, listStored, openStored } from '../folder/listing.ts';
import type { Place } from '../folder/own-parts.ts';
import { sharedAddress } from './share-items.ts';

/** A share of vault items, for its owner. */
export interface OwnShare {
  readonly weblink: Weblink;
  /** Clear name; undefined for a share of another vault. */
  readonly name: string | undefined;
  readonly address: string | undefined;
}

export interface OwnShares {
  readonly shares: readonly OwnShare[];
  /** Addresses of copies that belong to no share any more. */
  readonly leftovers: readonly string[];
}

/** Query of the shares of an open vault with their full addresses, and of copies without a share. */
export const ownShares = ({ vaultId, rootUri }: Pick<Place, 'vaultId' | 'rootUri'>) =>
  queryOptions({
    queryKey: ['vault', vaultId, 'shares'],
    queryFn: async ({ signal }): Promise<OwnShares> => {
      const [all, stored] = await Promise.all([send(getWeblinks, {}, signal), listStored(rootUri, signal)]);
      const weblinks = all.filter(({ linkUri, sealed }) => sealed !== undefined && linkUri.startsWith(`${rootUri}/`));
      const opened = await askWorker('openShares', { vaultId, sealed: weblinks.map(({ sealed = '' }) => sealed) });
      const copies = (await openStored(vaultId, stored)).filter(
        ({ name, isFolder }) => name !== undefined && isShareFolder({ name, isFolder }),
      );
      const used = new Set(weblinks.map(({ linkUri }) => linkUri));
      return {
        shares: weblinks.map((weblink, index) => {
          const known = opened[index];
          return { weblink, name: known?.name, address: known && sharedAddress(weblink.sharelinkurl, known.secret) };
        }),
        leftovers: copies.flatMap(({ item }) => (used.has(item.linkUri) ? [] : [item.linkUri])),
      };
    },
    staleTime: 0,
  });

/** Ends a share and deletes its encrypted copies. */
export async function endShare({ weblinkId, linkUri }: Weblink): Promise<void> {
  await send(removeWeblink, { webLinkId: weblinkId });
  await send(deleteObject, { linkUri });
}

export async function removeLeftovers(leftovers: readonly string[]): Promise<void> {
  for (const linkUri of leftovers) await send(deleteObject, { linkUri });
}
