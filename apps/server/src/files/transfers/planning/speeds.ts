import { AppError } from '@sheaf/contract';
import { type Links, openItem, storedAt } from '#/files/items/open-item.ts';
import { sourcesOf, targetOf } from '../rows/ends.ts';
import type { Pair, Speed, SpeedStore } from '../rows/speed-store.ts';
import type { TransferRow } from '../rows/store.ts';

/** What a transfer moves, or has moved. */
export interface Amount {
  readonly bytes: number;
  readonly items: number;
}

/** Share of the latest measurement in what is stored. */
const weight = 0.3;
/** Shorter runs tell more of the start than of the links; seconds. */
const shortest = 1;
/** Bytes of an item from which bytes take the time, not the number of items. */
const largeItem = 1024 * 1024;

/** Measured speeds of links, and what they let expect. */
export function createSpeeds({ links, store }: { readonly links: Links; readonly store: SpeedStore }) {
  /** The pairs of links of a transfer, each once. */
  async function pairsOf(transfer: TransferRow): Promise<Pair[]> {
    const idOf = async (linkUri: string) => storedAt(await openItem(links, transfer.accountId, linkUri), '/').linkId;
    const toLinkId = await idOf(targetOf(transfer).linkUri);
    const from = await Promise.all(sourcesOf(transfer).map(({ linkUri }) => idOf(linkUri)));
    return [...new Set(from)].map((fromLinkId) => ({ fromLinkId, toLinkId }));
  }

  /** None when a link has been removed: that does not concern what was copied. */
  async function pairsIfThere(transfer: TransferRow): Promise<Pair[]> {
    try {
      return await pairsOf(transfer);
    } catch (error) {
      if (error instanceof AppError && error.messageCode === 'INVALID_LINK_URI') return [];
      throw error;
    }
  }

  async function expected(pair: Pair): Promise<Speed> {
    const known = await store.find(pair);
    if (known?.bytesPerSecond && known.itemsPerSecond) return known;
    const [from, to] = await Promise.all([store.best('fromLinkId', pair.fromLinkId), store.best('toLinkId', pair.toLinkId)]);
    const slower = (one: number | null, other: number | null): number | null => (one && other ? Math.min(one, other) : null);
    return {
      bytesPerSecond: known?.bytesPerSecond ?? slower(from.bytesPerSecond, to.bytesPerSecond),
      itemsPerSecond: known?.itemsPerSecond ?? slower(from.itemsPerSecond, to.itemsPerSecond),
    };
  }

  return {
    /** Remembers how long a run took. Ignores runs that tell little: short ones, those with a limit, and those of several links. */
    async note(transfer: TransferRow, { bytes, items }: Amount, seconds: number): Promise<void> {
      if (transfer.bytesPerSecond !== null || seconds < shortest || items <= 0) return;
      const [pair, ...more] = await pairsIfThere(transfer);
      if (!pair || more.length > 0) return;
      const known = await store.find(pair);
      const mixed = (before: number | null | undefined, now: number): number => (before ? before * (1 - weight) + now * weight : now);
      const isLarge = bytes / items >= largeItem;
      await store.save(pair, {
        bytesPerSecond: isLarge ? mixed(known?.bytesPerSecond, bytes / seconds) : (known?.bytesPerSecond ?? null),
        itemsPerSecond: isLarge ? (known?.itemsPerSecond ?? null) : mixed(known?.itemsPerSecond, items / seconds),
      });
    },

    /** Seconds that the transfer is expected to take; undefined when too little is known of its links. */
    async estimate(transfer: TransferRow, { bytes, items }: Amount): Promise<number | undefined> {
      if (items === 0) return undefined;
      const speeds = await Promise.all((await pairsOf(transfer)).map(expected));
      const isLarge = bytes / items >= largeItem;
      let longest = transfer.bytesPerSecond === null ? 0 : bytes / Number(transfer.bytesPerSecond);
      for (const { bytesPerSecond, itemsPerSecond } of speeds) {
        if ((isLarge ? bytesPerSecond : itemsPerSecond) === null) return undefined;
        longest = Math.max(longest, bytesPerSecond ? bytes / bytesPerSecond : 0, itemsPerSecond ? items / itemsPerSecond : 0);
      }
      return Math.max(1, Math.round(longest));
    },
  };
}
export type Speeds = ReturnType<typeof createSpeeds>;
