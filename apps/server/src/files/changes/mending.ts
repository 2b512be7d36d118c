import { binOf, parentOf, versionsOf } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import type { Links } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Clock } from '#/platform/clock.ts';
import { type JobHandler, Nothing, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import { factsOf } from './facts.ts';
import type { ChangeStore, JournalRow } from './store.ts';

interface Deps {
  readonly store: ChangeStore;
  readonly links: Pick<Links, 'open'>;
  readonly listings: Pick<Listings, 'note'>;
  readonly enqueue: (...jobs: readonly JobRequest[]) => Promise<unknown>;
  readonly now: Clock;
}

/** Seconds after which a replacement that has not ended never will: the file is noted right before the new one takes its name. */
const patience = 900;
/** Links of one look, and rows read at once. */
const [mostLinks, window] = [100, 100];
const mendKind = 'bins.mend';

/** Ends replacements that a kill or a cut has interrupted: a file whose name nothing has taken gets it back. */
export function createMending({ store, links, listings, enqueue, now }: Deps): JobHandler[] {
  async function find(): Promise<void> {
    const linkIds = await store.hangingLinks(now() - patience, mostLinks);
    const turn = Math.floor(now() / patience);
    const jobs = linkIds.map((linkId): JobRequest => ({
      scope: linkId,
      kind: mendKind,
      payload: {},
      key: `${linkId} ${turn}`,
      lane: { name: `${mendKind}:${linkId}`, limit: 1 },
      priority: 'low',
    }));
    if (jobs.length > 0) await enqueue(...jobs);
  }

  async function mend(row: JournalRow, signal: AbortSignal): Promise<void> {
    const { path, bin, binId } = row;
    const { connector, userLinkId } = await links.open(row.accountId, row.viaLinkId);
    const current = await entryAt(connector, path, signal);
    if (binId === null) return store.remove(row);
    if (bin === 'version') {
      const isReplaced = current && (await versionsOf(connector)?.versionOf(path, { signal })) !== binId;
      return isReplaced ? store.change(row, { state: 'done', ...factsOf(current) }) : store.remove(row);
    }
    const hidden = binOf(connector);
    if (hidden?.bin !== 'hidden') return;
    try {
      await hidden.binned(binId, { signal });
    } catch (error) {
      if (!isRow(error, 'ITEM_NOT_FOUND')) throw error;
      return store.remove(row);
    }
    if (current) return store.change(row, { state: 'done', ...factsOf(current) });
    const entry = await hidden.restore(binId, path, { signal });
    await listings.note(userLinkId, parentOf(path), { put: entry });
    await store.remove(row);
  }

  async function mendLink(linkId: string, signal: AbortSignal): Promise<void> {
    let failure: AppError | undefined;
    for (const row of await store.hanging(linkId, now() - patience, window)) {
      signal.throwIfAborted();
      try {
        await mend(row, signal);
      } catch (error) {
        // The next look tries it again.
        if (!(error instanceof AppError)) throw error;
        failure ??= error;
      }
    }
    if (failure) throw failure;
  }

  return [
    defineJob({ kind: 'bins.hanging', payload: Nothing, schedule: '*/5 * * * *', run: find }),
    defineJob({ kind: mendKind, payload: Nothing, attempts: 3, run: ({ scope, signal }) => mendLink(scope, signal) }),
  ];
}
