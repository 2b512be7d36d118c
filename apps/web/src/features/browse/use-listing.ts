import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Listing, ListingState } from './listing.ts';
import { useMember } from './member.ts';
import { listingOf } from './queries.ts';
import type { FolderView } from './view-address.ts';

/** The listing of a folder, asked for while it is shown. Another order or filter takes over once its first rows are there. */
export function useListing(linkUri: string, view: FolderView): { readonly listing: Listing; readonly state: ListingState } {
  const wanted = listingOf(linkUri, view, useMember());
  const wantedState = useSyncExternalStore(wanted.subscribe, wanted.state);
  const [shown, setShown] = useState(wanted);
  if (shown !== wanted && wantedState.status !== 'loading') setShown(wanted);
  const state = useSyncExternalStore(shown.subscribe, shown.state);

  useEffect(() => {
    wanted.open();
    const again = (): void => {
      if (document.visibilityState === 'visible') wanted.resume();
    };
    document.addEventListener('visibilitychange', again);
    window.addEventListener('online', again);
    return () => {
      document.removeEventListener('visibilitychange', again);
      window.removeEventListener('online', again);
      wanted.close();
    };
  }, [wanted]);

  return { listing: shown, state };
}
