import type { Transfer } from '@sheaf/contract';
import { useSyncExternalStore } from 'react';
import { pageTransfers } from './page-transfers.ts';

/** Transfers of this page whose plan waits for decisions, in the order in which they came. */
let waiting: readonly string[] = [];
const asked = new Set<string>();
const listeners = new Set<() => void>();
const set = (now: readonly string[]): void => {
  waiting = now;
  for (const listener of listeners) listener();
};

function note({ transferId, state, problems }: Transfer): void {
  if (state !== 'planned') {
    // A folder that is kept has to be looked into: the plan goes on, and comes back.
    if (state !== 'planning' && waiting.includes(transferId)) set(waiting.filter((one) => one !== transferId));
  } else if (problems > 0 && pageTransfers.isOwn(transferId) && !asked.has(transferId)) {
    asked.add(transferId);
    set([...waiting, transferId]);
  }
}
pageTransfers.onChange(note);

/** Closes the question; the transfer stays planned, and the page of transfers offers it. */
export const leaveDecision = (transferId: string): void => set(waiting.filter((one) => one !== transferId));

/** The transfer to decide about now, if any: asked once for each that this page has begun. */
export const useDecision = (): string | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting[0],
  );
