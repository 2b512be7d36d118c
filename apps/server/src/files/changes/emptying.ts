import { binOf } from '@sheaf/connectors';
import { AppError } from '@sheaf/contract';
import type { Links } from '#/files/items/open-item.ts';
import type { Clock } from '#/platform/clock.ts';
import { type JobHandler, Nothing, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import type { ChangeStore } from './store.ts';

interface Deps {
  readonly store: ChangeStore;
  readonly links: Pick<Links, 'open'>;
  readonly enqueue: (...jobs: readonly JobRequest[]) => Promise<unknown>;
  readonly now: Clock;
}

/** Links of one look, and rows read at once. */
const mostLinks = 500;
const window = 100;
const emptyKind = 'bins.empty';

/** Deletes items whose time in a hidden bin is over. Each link is a job of its own, so that one that does not answer delays no other. */
export function createEmptying({ store, links, enqueue, now }: Deps): JobHandler[] {
  async function find(): Promise<void> {
    await store.sweep(now());
    const due = await store.dueLinks(now(), mostLinks);
    if (due.length === 0) return;
    // What a job could not do is tried again by the next look.
    const hour = Math.floor(now() / 3600);
    const jobs = due.map(({ linkId }): JobRequest => ({
      scope: linkId,
      kind: emptyKind,
      payload: {},
      key: `${linkId} ${hour}`,
      lane: { name: `${emptyKind}:${linkId}`, limit: 1 },
      priority: 'low',
    }));
    await enqueue(...jobs);
  }

  async function empty(linkId: string, signal: AbortSignal): Promise<void> {
    const ownerId = await store.ownerOf(linkId);
    if (ownerId === undefined) return;
    const { connector } = await links.open(ownerId, linkId);
    const purge = binOf(connector)?.bin === 'hidden' ? binOf(connector)?.purge : undefined;
    if (!purge) return;
    let failure: AppError | undefined;
    for (let after = ''; ;) {
      const rows = await store.due(linkId, now(), after, window);
      for (const row of rows) {
        after = row.id;
        signal.throwIfAborted();
        try {
          if (row.binId !== null) await purge(row.binId, { signal });
          await store.change(row, { state: 'purged' });
        } catch (error) {
          // One item that cannot be deleted keeps no other.
          if (!(error instanceof AppError)) throw error;
          failure ??= error;
        }
      }
      if (rows.length < window) break;
    }
    if (failure) throw failure;
  }

  return [
    defineJob({ kind: 'bins.find', payload: Nothing, schedule: '41 * * * *', run: find }),
    defineJob({ kind: emptyKind, payload: Nothing, attempts: 3, run: ({ scope, signal }) => empty(scope, signal) }),
  ];
}
