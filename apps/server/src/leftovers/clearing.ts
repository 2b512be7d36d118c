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
const soonest = 150;
const latest = 6 * 3600;
/** Seconds after which it is given up. */
const longest = 30 * 86_400;
/** ms for one thing to be removed. */
const patience = 120_000;
/** Notes taken on at once. */
const batch = 100;

/** Removes at the sources what broken uploads have left there; of several instances, whichever takes a note on does it. */
export function createClearing({ store, open, now, onTrouble }: Deps) {
  /** When those that could not be removed are due again, by link and id. */
  const failed = new Map<string, Map<string, number>>();

  async function clear(connector: Connector, { id, note }: DueLeftover): Promise<void> {
    await connector.clearUp?.(note, { signal: AbortSignal.timeout(patience) });
    await store.remove([id]);
  }

  const nextTry = ({ begunAt }: DueLeftover): number => now() + Math.min(latest, Math.max(soonest, now() - begunAt));

  function noteFailed(linkId: string, leftovers: readonly DueLeftover[]): void {
    const before = failed.get(linkId) ?? new Map<string, number>();
    failed.set(linkId, new Map([...before, ...leftovers.map(({ id, dueAt }) => [id, dueAt] as const)]));
  }

  /** One after the other; the rest of a link that has failed is tried the next time. */
  async function clearLink(leftovers: readonly DueLeftover[]): Promise<void> {
    for (const [index, leftover] of leftovers.entries()) {
      const { id, linkId, accountId, begunAt } = leftover;
      try {
        await clear((await open(accountId, linkId)).connector, leftover);
        failed.get(linkId)?.delete(id);
      } catch (error) {
        const isGivenUp = now() - begunAt > longest;
        onTrouble(error, linkId, isGivenUp);
        if (!isGivenUp) return noteFailed(linkId, leftovers.slice(index));
        await store.remove([id]);
      }
    }
  }

  /** Takes on what is due. Never rejects because of a source. */
  async function clearDue(): Promise<void> {
    const ofLinks = new Map<string, DueLeftover[]>();
    for (const leftover of await store.due(now(), batch)) {
      const dueAt = nextTry(leftover);
      if (!(await store.claim(leftover, dueAt))) continue;
      const ofLink = ofLinks.get(leftover.linkId) ?? [];
      ofLinks.set(leftover.linkId, [...ofLink, { ...leftover, dueAt }]);
    }
    await Promise.all([...ofLinks.values()].map(clearLink));
  }

  return {
    clear: clearDue,
    /** The link's source answers again: what could not be removed there is due now. */
    async retry(linkId: string): Promise<void> {
      const ofLink = failed.get(linkId);
      failed.delete(linkId);
      for (const [id, dueAt] of ofLink ?? []) await store.renew([id], dueAt, now());
      if (ofLink) await clearDue();
    },
  };
}
