import { Type } from 'typebox';
import { type JobHandler, defineJob } from './platform/jobs/job.ts';
import type { JobRequest } from './platform/jobs/jobs.ts';

interface Deps {
  readonly leftovers: {
    readonly dueLinks: () => Promise<readonly { readonly linkId: string; readonly key: string }[]>;
    readonly clear: (linkId: string) => Promise<void>;
  };
  /** Returns the errors of accounts that could not be ended. */
  readonly closeAccounts: () => Promise<readonly unknown[]>;
  readonly settleBilling: () => Promise<readonly unknown[]>;
  readonly sendNotices: () => Promise<readonly unknown[]>;
  /** What removes expired rows, by a name that ends the kind. */
  readonly sweeps: Readonly<Record<string, () => Promise<unknown>>>;
  readonly enqueue: (...jobs: readonly JobRequest[]) => Promise<unknown>;
}

const Nothing = Type.Object({});

/** The kind that looks for what broken uploads and moves have left. */
export const leftoversKind = 'leftovers.find';

/** The first error of a task that goes on after one, so that the job counts as failed and says why. */
function throwFirst(errors: readonly unknown[]): void {
  if (errors.length > 0) throw errors[0];
}

/** What Sheaf does by itself. Each is a job of its own: one that fails stops no other. */
export function backgroundTasks({ leftovers, closeAccounts, settleBilling, sendNotices, sweeps, enqueue }: Deps): JobHandler[] {
  const scheduled = (kind: string, schedule: string, run: () => Promise<void>, atStart = false): JobHandler =>
    defineJob({ kind, payload: Nothing, schedule, atStart, run });

  /** Several links at once, each by one worker: a move that takes an hour to finish holds up no other. */
  async function findLeftovers(): Promise<void> {
    const due = await leftovers.dueLinks();
    if (due.length > 0)
      await enqueue(
        ...due.map(({ linkId, key }) => ({
          scope: linkId,
          kind: 'leftovers.clear',
          payload: {},
          key,
          lane: { name: `leftovers:${linkId}`, limit: 1 },
        })),
      );
  }

  return [
    scheduled(leftoversKind, '* * * * *', findLeftovers, true),
    defineJob({ kind: 'leftovers.clear', payload: Nothing, run: ({ scope }) => leftovers.clear(scope) }),
    scheduled('billing.settle', '* * * * *', async () => throwFirst(await settleBilling()), true),
    scheduled('notices.send', '*/10 * * * *', async () => throwFirst(await sendNotices())),
    scheduled('accounts.close', '7 * * * *', async () => throwFirst(await closeAccounts())),
    ...Object.entries(sweeps).map(([name, sweep]) => scheduled(`sweep.${name}`, '17 * * * *', async () => void (await sweep()))),
  ];
}
