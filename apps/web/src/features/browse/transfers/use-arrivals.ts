import { parentUri } from '@sheaf/contract';
import { useEffect } from 'react';
import type { Listing } from '#/features/browse/listing/listing.ts';
import type { LiveTransfer } from '#/lib/transfers/live.ts';
import { pageTransfers, useTransfers } from '#/lib/transfers/page-transfers.ts';

/** Milliseconds between two reloads of a folder that items arrive in. */
const reloadEvery = 1000;

/** Whether the folder is the transfer's target, or in it. */
const isInto = (folderUri: string, targetUri: string): boolean => folderUri === targetUri || folderUri.startsWith(`${targetUri}/`);

/** Reloads the stored listing of the visible folder when a transfer puts items into it, or takes them from it. */
export function useArrivals(folderUri: string, listing: Listing): readonly LiveTransfer[] {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = pageTransfers.onChange((after, before) => {
      const isConcerned =
        isInto(folderUri, after.to.linkUri) || (after.kind === 'move' && after.from.some(({ linkUri }) => isFrom(folderUri, linkUri)));
      const hasMoved = before
        ? before.itemsDone !== after.itemsDone || before.state !== after.state
        : pageTransfers.isOwn(after.transferId);
      if (!isConcerned || !hasMoved) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        listing.reload();
      }, reloadEvery);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [folderUri, listing]);
  return useTransfers().filter(({ state, to }) => (state === 'running' || state === 'planning') && isInto(folderUri, to.linkUri));
}

/** Whether the item lies in the folder, or the folder in it. */
const isFrom = (folderUri: string, itemUri: string): boolean => parentUri(itemUri) === folderUri || isInto(folderUri, itemUri);
