import type { Connector } from '@sheaf/connectors';
import type { Clock } from '#/clock.ts';
import type { DueLeftover, LeftoverStore } from './store.ts';

/** Opens a link of an account. */
export type Open = (accountId: string, userLinkId: string) => Promise<{ readonly connector: Connector }>;

interface Deps {
  readonly store: LeftoverStore;
  readonly open: Open;
  readonly now: Clock;
  /** Told when something could not be removed, and whether it is tried again. */
  readonly onTrouble: (error: unknown, userLinkId: string, isGivenUp: boolean) => void;
}

/** Seconds between two tries: as long as it has been there, within these bounds. */
const soonest = 300;
const latest = 6 * 3600;
/** Seconds after which it is given up. */
const longest = 30 * 86_400;
/** ms for one thing to be removed. */
const patience = 120_000;
/** Notes taken on at once. */
const batch = 100;

/** Removes at the sources what broken uploads have left there; of several instances, whichever takes a note on does it. */
export function createClearing({ store, open, now, onTrouble }: Deps) {
  async function clear(connector: Connector, { id, note }: DueLeftover): Promise<void> {
    await connector.clearUp?.(note, { signal: AbortSignal.timeout(patience) });
    await store.remove([id]);
  }

  const nextTry = ({ begunAt }: DueLeftover): number => now() + Math.min(latest, Math.max(soonest, now() - begunAt));

  /** One after the other; the rest of a link that has failed is tried the next time. */
  async function clearLink(leftovers: readonly DueLeftover[]): Promise<void> {
    for (const leftover of leftovers) {
      const { id, linkId, accountId, begunAt } = leftover;
      try {
        await clear((await open(accountId, linkId)).connector, leftover);
      } catch (error) {
        const isGivenUp = now() - begunAt > longest;
        onTrouble(error, linkId, isGivenUp);
        if (!isGivenUp) return;
        await store.remove([id]);
      }
    }
  }

  /** Takes on what is due. Never rejects because of a source. */
  return async (): Promise<void> => {
    const ofLinks = new Map<string, DueLeftover[]>();
    for (const leftover of await store.due(now(), batch)) {
      if (!(await store.claim(leftover, nextTry(leftover)))) continue;
      const ofLink = ofLinks.get(leftover.linkId) ?? [];
      ofLinks.set(leftover.linkId, [...ofLink, leftover]);
    }
    await Promise.all([...ofLinks.values()].map(clearLink));
  };
}
