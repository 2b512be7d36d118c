import { useSyncExternalStore } from 'react';
import { type Clipping, createClipboard } from './clipboard.ts';
import { createRecentTargets } from './recent-targets.ts';

const clipboard = createClipboard(localStorage);
window.addEventListener('storage', ({ key }) => clipboard.changed(key));

/** Targets of copies and moves in this browser. */
export const recentTargets = createRecentTargets(localStorage);

export const clearClipboard = clipboard.clear;

/** Forgets what was copied or cut and the targets, as at sign-out: addresses of items hold their names. */
export function forgetTransfers(): void {
  clipboard.clear();
  recentTargets.clear();
}

/** What the account has copied or cut, in any tab, and a way to replace it. */
export function useClipboard(account: string): [Clipping | undefined, (clipping: Clipping) => void] {
  const clipping = useSyncExternalStore(clipboard.subscribe, () => clipboard.of(account));
  return [clipping, (now) => clipboard.put(account, now)];
}
