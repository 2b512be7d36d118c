import { setTimeout as sleep } from 'node:timers/promises';
import { parentOf } from '@sheaf/connectors';
import { AppError, type MessageCode } from '@sheaf/contract';
import type { Listings } from '#/files/listings/service.ts';
import type { OpenLink } from '#/links/connections/connections.ts';
import { asGuest } from '#/links/connections/guests.ts';
import type { KnowledgeStore } from './store.ts';

interface Deps {
  readonly store: KnowledgeStore;
  readonly listings: Pick<Listings, 'look'>;
  /** Opens a link of the account that owns it. */
  readonly open: (accountId: string, linkId: string) => Promise<OpenLink>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds between two calls. */
  readonly pause?: number;
  /** Most folders of one run. */
  readonly most?: number;
}

/** Milliseconds without a user's look after which a link counts as idle. */
export const idleAfter = 120_000;
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** Milliseconds of one run. */
const longestRun = 4 * minute;
/** Folders looked up at once in the store, and changed folders read again at once. */
const [batch, mostChanged] = [50, 50];
/** Refusals that concern one folder only; after any other the whole link is left alone for a while. */
const ofFolder: ReadonlySet<MessageCode> = new Set([
  'SOURCE_FORBIDS',
  'SOURCE_CANNOT',
  'FOLDER_TOO_LARGE',
  'ITEM_NOT_FOUND',
  'NOT_A_FOLDER',
]);
/** Name under which the crawler waits for connections: like a stranger, behind the owner, who always has one left. */
const network = 'crawler';

/**
 * Reads folders of a link that nobody has opened, and old listings again: one call at a time, a second apart, only while nobody works in the link. What
 * was read is stored, so a run that is cut off costs nothing. Asks sources that report changes for them, and reads those folders again.
 */
export function createCrawler({ store, listings, open, now, pause = 1000, most = 200 }: Deps) {
  return {
    /** One run; stores when the next one is due. */
    async run(accountId: string, linkId: string, signal: AbortSignal): Promise<void> {
      try {
        const nextAt = await asGuest(network, () => crawl(accountId, linkId, signal));
        await store.save(linkId, { nextAt, refusals: 0 });
      } catch (error) {
        if (signal.aborted || !(error instanceof AppError)) throw error;
        const refusals = (await store.find(linkId)).refusals + 1;
        await store.save(linkId, { refusals, nextAt: now() + Math.min(day, minute * 2 ** refusals) });
      }
    },
  };

  async function crawl(accountId: string, linkId: string, signal: AbortSignal): Promise<number> {
    const { connector } = await open(accountId, linkId);
    const end = now() + longestRun;
    const look = async (path: string): Promise<void> => {
      try {
        await listings.look({ userId: accountId, linkId, connector, path }, signal);
      } catch (error) {
        if (!(error instanceof AppError) || !ofFolder.has(error.messageCode)) throw error;
        await store.refuse(linkId, path, now());
      }
      await sleep(pause, undefined, { signal });
    };
    const { usedAt, cursor } = await store.find(linkId);
    if (connector.changes) {
      for (const path of await changedFolders(linkId, connector, cursor ?? undefined, signal)) await look(path);
    }
    // Nobody looks: the wait doubles, up to a day. Without a feed old listings are looked for now and then.
    const rest = connector.changes ? Math.min(day, Math.max(minute, now() - usedAt)) : hour;

    for (let read = 0; read < most && now() < end;) {
      const paths = await store.unknown(linkId, now(), batch);
      const wanted = paths.length > 0 ? paths : await store.oldest(linkId, now() - day, batch);
      if (wanted.length === 0) return now() + rest;
      for (const path of wanted) {
        const busyUntil = (await store.find(linkId)).usedAt + idleAfter;
        if (busyUntil > now()) return connector.changes ? now() + minute : busyUntil;
        await look(path);
        read++;
        if (read >= most || now() >= end) break;
      }
    }
    return now();
  }

  /** Stored folders in which the source reports changes since the stored cursor. The report leads to a look, it is not taken for true. */
  async function changedFolders(
    linkId: string,
    connector: OpenLink['connector'],
    since: string | undefined,
    signal: AbortSignal,
  ): Promise<string[]> {
    const changes = await connector.changes?.(since, { signal });
    if (!changes) return [];
    const folders: string[] = [];
    if (since !== undefined) {
      for (const path of new Set(changes.items.map((item) => parentOf(item.path)))) {
        if (folders.length < mostChanged && (await store.isListed(linkId, path))) folders.push(path);
      }
    }
    await store.save(linkId, { cursor: changes.cursor });
    return folders;
  }
}
