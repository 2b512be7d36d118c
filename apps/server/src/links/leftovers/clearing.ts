import type { Connector } from '@sheaf/connectors';
import type { Clock } from '#/platform/clock.ts';
import { type Notes, leaseOf } from './notes.ts';
import type { DueLeftover, LeftoverStore } from './store.ts';

/** Opens a link of an account. */
export type Open = (accountId: string, userLinkId: string) => Promise<{ readonly connector: Connector }>;

interface Deps {
  readonly store: LeftoverStore;
  readonly open: Open;
  /** Claims what this process works on. */
  readonly notes: Pick<Notes, 'adopt' | 'release'>;
  readonly now: Clock;
  /** Called when something could not be removed, and whether it will be retried. */
  readonly onTrouble: (error: unknown, userLinkId: string, isGivenUp: boolean) => void;
}

/** Seconds between two tries: as long as it has existed, within these bounds. */
const soonest = 150;
const latest = 6 * 3600;
/** Seconds after which it is abandoned. */
const longest = 30 * 86_400;
/** Timeout in milliseconds for removing one thing or finishing one move. */
const timeout = 600_000;
/** Notes claimed at once. */
const batch = 100;

/** Removes the remains of broken uploads at their sources, and finishes broken moves; of several instances the one that claims a note does it. */
export function createClearing({ store, open, notes, now, onTrouble }: Deps) {
  /** When failed notes are due again, by link and id. */
  const failed = new Map<string, Map<string, number>>();

  /** Returns false when another process has the note. */
  async function claim(leftover: DueLeftover): Promise<boolean> {
    const seconds = leaseOf(leftover);
    const dueAt = now() + seconds;
    if (!(await store.claim(leftover, dueAt))) return false;
    notes.adopt(leftover.id, { dueAt, seconds });
    return true;
  }

  async function clear({ id, note, accountId, linkId }: DueLeftover): Promise<void> {
    const { connector } = await open(accountId, linkId);
    await connector.clearUp?.(note, { signal: AbortSignal.timeout(timeout) });
    await strikeOff(id);
    failed.get(linkId)?.delete(id);
  }

  async function strikeOff(id: string): Promise<void> {
    notes.release(id);
    await store.remove([id]);
  }

  const nextTry = ({ begunAt }: DueLeftover): number => now() + Math.min(latest, Math.max(soonest, now() - begunAt));

  async function putOff(leftover: DueLeftover): Promise<void> {
    const { id, linkId } = leftover;
    const dueAt = nextTry(leftover);
    notes.release(id);
    await store.fail(id, dueAt);
    failed.set(linkId, new Map([...(failed.get(linkId) ?? []), [id, dueAt]]));
  }

  /** Sequentially; after a failure the rest of the link is tried next time. */
  async function clearLink(leftovers: readonly DueLeftover[]): Promise<void> {
    for (const [index, leftover] of leftovers.entries()) {
      const { id, linkId, begunAt } = leftover;
      try {
        await clear(leftover);
      } catch (error) {
        const isGivenUp = now() - begunAt > longest;
        onTrouble(error, linkId, isGivenUp);
        if (isGivenUp) await strikeOff(id);
        else {
          for (const left of leftovers.slice(index)) await putOff(left);
          return;
        }
      }
    }
  }

  /** Claims what is due. Never rejects because of a source. */
  async function clearDue(ofLink?: string): Promise<void> {
    const ofLinks = new Map<string, DueLeftover[]>();
    for (const leftover of await store.due(now(), batch, ofLink))
      if (await claim(leftover)) ofLinks.set(leftover.linkId, [...(ofLinks.get(leftover.linkId) ?? []), leftover]);
    await Promise.all([...ofLinks.values()].map(clearLink));
  }

  return {
    clear: clearDue,
    /** Links with due notes, each with the oldest one and its time: claiming a note changes its time. */
    async dueLinks(): Promise<{ linkId: string; key: string }[]> {
      const byLink = Map.groupBy(await store.due(now(), batch), ({ linkId }) => linkId);
      return [...byLink].map(([linkId, [oldest]]) => ({ linkId, key: `${oldest?.id ?? ''} ${oldest?.dueAt ?? 0}` }));
    },
    /** Processes one note now, for a caller that waits; rejects with the source's error. Does nothing when another process has it. */
    async clearOne(leftover: DueLeftover): Promise<void> {
      if (!(await claim(leftover))) return;
      try {
        await clear(leftover);
      } catch (error) {
        await putOff(leftover);
        throw error;
      }
    },
    /** Makes failed notes of a link due, because its source answers again. */
    async retry(linkId: string): Promise<void> {
      const ofLink = failed.get(linkId);
      failed.delete(linkId);
      for (const [id, dueAt] of ofLink ?? []) await store.renew([id], dueAt, now());
      if (ofLink) await clearDue();
    },
  };
}
