import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@sheaf/contract';
import type { Listings } from '#/files/listings/service.ts';
import type { OpenLink } from '#/links/connections/connections.ts';
import { asGuest } from '#/links/connections/guests.ts';
import type { RunAgain } from '#/platform/jobs/job.ts';
import { createFeed } from './feed.ts';
import { concernsFolder, day, hour, idleAfter, minute, questionAt, waitAfterRefusal, waitForChanges } from './rules.ts';
import type { KnowledgeStore, LinkKnowledge } from './store.ts';
import { Unordered, readTree } from './tree.ts';
import { SwitchedOff, type Watch } from './watch.ts';

interface Deps {
  readonly store: KnowledgeStore;
  readonly listings: Pick<Listings, 'look' | 'receive'>;
  /** Opens a link of the account that owns it. */
  readonly open: (accountId: string, linkId: string) => Promise<OpenLink>;
  /** Whether Sheaf may look into the link now. */
  readonly mayLook: (link: LinkKnowledge) => Promise<boolean>;
  readonly watch: Watch;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds between two calls. */
  readonly pause?: number;
  /** Most folders of one run. */
  readonly most?: number;
}

/** A run of a job. */
interface Run {
  readonly signal: AbortSignal;
  /** Whether no other instance has taken over. */
  readonly stillMine: () => Promise<boolean>;
}

/** Milliseconds of one run, so that other links have their turn; and of one listing of a whole tree. */
const [longestRun, longestTree] = [minute, 10 * minute];
/** Folders looked up at once in the store. */
const batch = 50;
/** Milliseconds by which a run may be early. */
const early = 1000;
/** Name under which the crawler waits for connections: like a stranger, behind the owner, who always has one left; and one call at a time. */
const network = 'crawler';

/**
 * Reads folders of a link that nobody has opened, and old listings again: one call at a time, a second apart, only while nobody works in the link. What
 * was read is stored, so a run that is cut off costs nothing. Asks sources that report changes for them, and reads those folders again.
 */
export function createCrawler({ store, listings, open, mayLook, watch, now, pause = 1000, most = 200 }: Deps) {
  const followFeed = createFeed({ store, now, pause });

  /** Runs the work while Sheaf may look into the link; `due` tells from its row whether there is work. After a refusal the link is left alone for a while. */
  async function attempt(
    linkId: string,
    { signal }: Run,
    due: (link: LinkKnowledge) => number | undefined,
    work: (link: LinkKnowledge, signal: AbortSignal) => Promise<number | undefined>,
  ): Promise<void | RunAgain> {
    const link = await store.find(linkId);
    const dueAt = link && due(link);
    // Another run may have done the work meanwhile.
    if (!link || dueAt === undefined || dueAt > now() + early || !(await mayLook(link))) return;
    try {
      const nextAt = await watch.run(linkId, signal, (either) => asGuest(network, () => work(link, either)));
      const wait = nextAt === undefined ? Infinity : nextAt - now();
      if (wait < minute) return { again: Math.max(0, wait) };
    } catch (error) {
      if (error instanceof SwitchedOff) return;
      if (signal.aborted || !(error instanceof AppError)) throw error;
      const refusals = link.refusals + 1;
      const at = now() + waitAfterRefusal(refusals, error);
      const feedAt = link.feedAt === undefined ? {} : { feedAt: at };
      await store.save(linkId, { refusals, reason: error.messageCode, nextAt: at, ...feedAt });
    }
  }

  const lookInto =
    (linkId: string, { accountId }: LinkKnowledge, connector: OpenLink['connector'], signal: AbortSignal) =>
    async (path: string): Promise<void> => {
      try {
        await listings.look({ userId: accountId, linkId, connector, path }, signal);
      } catch (error) {
        if (!concernsFolder(error)) throw error;
        await store.refuse(linkId, path, now());
      }
    };

  /** Reads until there is nothing to read, somebody works in the link, or the run's time is over; returns when to go on. */
  async function crawl(linkId: string, link: LinkKnowledge, run: Run, signal: AbortSignal): Promise<number> {
    const { connector, transferSlots } = await open(link.accountId, linkId);
    const look = lookInto(linkId, link, connector, signal);
    if (connector.changes && link.cursor === undefined) {
      await followFeed(linkId, connector, undefined, look, signal);
      await store.save(linkId, { feedAt: now() + waitForChanges(link.usedAt, now()) });
    }
    const rest = connector.changes ? day : hour;
    const end = now() + longestRun;
    /** When work may go on; undefined: now. */
    const busyUntil = async (): Promise<number | undefined> => {
      const usedAt = (await store.find(linkId))?.usedAt ?? Infinity;
      return usedAt + idleAfter > now() ? Math.min(usedAt + idleAfter, now() + day) : undefined;
    };
    let { tree } = link;
    /** Lists everything below the folder at once where the source can; a folder whose listing was cut off is read alone, and the next ones in it as trees. */
    const read = async (path: string): Promise<void> => {
      const { listTree } = connector;
      // A listing of a tree keeps a connection of few.
      if (!listTree || transferSlots < 2 || tree === path) {
        if (tree === path) await store.save(linkId, { tree: null });
        tree = undefined;
        return look(path);
      }
      await store.save(linkId, { tree: (tree = path) });
      const until = now() + longestTree;
      const mayGoOn = async (): Promise<boolean> => now() < until && (await busyUntil()) === undefined && (await run.stillMine());
      try {
        const isWhole = await readTree({ listings, linkId, connector: { listTree }, path, signal, begunAt: now(), pause, mayGoOn });
        if (!isWhole) return;
      } catch (error) {
        if (!(error instanceof Unordered) && !concernsFolder(error)) throw error;
        return look(path);
      }
      await store.save(linkId, { tree: null });
      tree = undefined;
    };

    let wanted: string[] = [];
    /** A clock that differs, or a change that undoes the note of a look, must not lead to the same folder again and again. */
    const done = new Set<string>();
    for (let count = 0; count < most && now() < end; count++) {
      const until = await busyUntil();
      if (until !== undefined) return until;
      if (wanted.length === 0) wanted = (await next(linkId, connector)).filter((path) => !done.has(path));
      const path = wanted.shift();
      if (path === undefined) return now() + rest;
      if (!(await run.stillMine())) return now() + minute;
      done.add(path);
      await read(path);
      await sleep(pause, undefined, { signal });
    }
    return now();
  }

  /** Folders to read: unknown ones, then the oldest. */
  async function next(linkId: string, { listTree, changes }: OpenLink['connector']): Promise<string[]> {
    const unknown = await store.unknown(linkId, now(), batch);
    if (unknown.length > 0) return unknown;
    const staleBefore = (await store.find(linkId))?.staleBefore ?? 0;
    const age = changes ? 7 * day : day;
    return store.oldest(linkId, Math.max(now() - age, staleBefore), listTree ? 1 : batch, listTree !== undefined);
  }

  return {
    /** Reads folders for a while; stores when the next run is due. */
    crawl: (linkId: string, run: Run): Promise<void | RunAgain> =>
      attempt(
        linkId,
        run,
        ({ nextAt }) => nextAt,
        async (link, signal) => {
          const nextAt = await crawl(linkId, link, run, signal);
          await store.save(linkId, { nextAt, refusals: 0, reason: null });
          return nextAt;
        },
      ),

    /** Asks a source for changes; stores when it is to be asked again. */
    follow: (linkId: string, run: Run): Promise<void | RunAgain> =>
      attempt(linkId, run, questionAt, async (link, signal) => {
        // A hint that comes from now on leads to another question.
        const askedAt = Math.max(now(), questionAt(link) ?? 0);
        const { connector } = await open(link.accountId, linkId);
        if (!connector.changes) {
          await store.save(linkId, { feedAt: null, cursor: null });
          return undefined;
        }
        await followFeed(linkId, connector, link.cursor, lookInto(linkId, link, connector, signal), signal);
        const usedAt = (await store.find(linkId))?.usedAt ?? 0;
        const feedAt = now() + waitForChanges(usedAt, now());
        await store.save(linkId, { feedAt, askedAt, refusals: 0, reason: null });
        return feedAt;
      }),
  };
}
