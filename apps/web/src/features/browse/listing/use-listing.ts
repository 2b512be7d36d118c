import { useEffect, useState, useSyncExternalStore } from 'react';
import { useMember } from '#/features/browse/member.ts';
import type { FolderView } from '#/features/browse/view-address.ts';
import { followFolder } from '#/lib/live/page-folders.ts';
import { recoveryPause } from '#/lib/query-client.ts';
import type { Listing, ListingState } from './listing.ts';
import { listingOf } from './queries.ts';

/** Milliseconds after which a visible folder is refreshed: others may have changed it. The server asks the source once for all viewers. */
const lookEvery = 30_000;
/** Milliseconds between two reloads of a folder that keeps changing. */
const changePause = 400;

/** The listing of a folder, loaded while it is shown. A new order or filter takes over once its first rows are loaded. */
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
    const recover = (): void => {
      if (wanted.state().isUnreached) again();
    };
    document.addEventListener('visibilitychange', again);
    window.addEventListener('online', again);
    const looks = setInterval(again, lookEvery);
    const endFollowing = followFolder(linkUri, everyPause(wanted.changed));
    const recovery = setInterval(recover, recoveryPause);
    return () => {
      clearInterval(looks);
      clearInterval(recovery);
      endFollowing();
      document.removeEventListener('visibilitychange', again);
      window.removeEventListener('online', again);
      wanted.close();
    };
  }, [linkUri, wanted]);

  return { listing: shown, state };
}

/** Calls `work` at once, but at most once in a pause; the last call is not lost. */
function everyPause(work: () => void): () => void {
  let isPausing = false;
  let isWanted = false;
  const run = (): void => {
    if (isPausing) {
      isWanted = true;
      return;
    }
    isPausing = true;
    isWanted = false;
    setTimeout(() => {
      isPausing = false;
      if (isWanted) run();
    }, changePause);
    work();
  };
  return run;
}
