import { type JobHandler, Nothing, defineJob } from './platform/jobs/job.ts';
import type { JobRequest } from './platform/jobs/jobs.ts';

/** Continues after an error; returns all errors. */
interface Task {
  sweep(): Promise<readonly unknown[]>;
}
/** Deletes expired rows. */
interface Sweep {
  sweep(): Promise<unknown>;
}

interface Deps {
  readonly leftovers: {
    readonly dueLinks: () => Promise<readonly { readonly linkId: string; readonly key: string }[]>;
    readonly clear: (linkId: string) => Promise<void>;
  };
  readonly closings: Task;
  readonly subscriptions: { settle(): Promise<readonly unknown[]> };
  readonly notices: { send(): Promise<readonly unknown[]> };
  readonly handoffs: Sweep;
  readonly authorizations: Sweep;
  readonly orgInvitations: Sweep;
  readonly spaces: Sweep;
  readonly throttle: Sweep;
  /** Further deletions of expired rows, keyed by the end of the job's kind. */
  readonly sweeps: Readonly<Record<string, () => Promise<unknown>>>;
  /** Reseals secrets with the newest master key. */
  readonly reseal: () => Promise<void>;
  readonly enqueue: (...jobs: readonly JobRequest[]) => Promise<unknown>;
  /** Jobs that bring their own handlers. */
  readonly handlers: readonly JobHandler[];
}

const sweepsOf = ({
  handoffs,
  authorizations,
  orgInvitations,
  spaces,
  throttle,
}: Pick<Deps, 'handoffs' | 'authorizations' | 'orgInvitations' | 'spaces' | 'throttle'>) => ({
  handoffs: () => handoffs.sweep(),
  authorizations: () => authorizations.sweep(),
  orgInvitations: () => orgInvitations.sweep(),
  spaces: () => spaces.sweep(),
  throttle: () => throttle.sweep(),
});

/** Kind of the job that looks for remains of broken uploads and moves. */
export const leftoversKind = 'leftovers.find';

/** Throws the first error, so that the job counts as failed and shows why. */
function throwFirst(errors: readonly unknown[]): void {
  if (errors.length > 0) throw errors[0];
}

/** Sheaf's scheduled work. Each task is a job of its own: a failing one stops no other. */
export function backgroundTasks({
  leftovers,
  closings,
  subscriptions,
  notices,
  sweeps,
  reseal,
  handlers,
  enqueue,
  ...sweeping
}: Deps): JobHandler[] {
  const scheduled = (kind: string, schedule: string, run: () => Promise<void>, atStart = false): JobHandler =>
    defineJob({ kind, payload: Nothing, schedule, atStart, run });

  /** Several links at once, each by one worker: a move that takes an hour delays no other. */
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
    scheduled('billing.settle', '* * * * *', async () => throwFirst(await subscriptions.settle()), true),
    scheduled('notices.send', '*/10 * * * *', async () => throwFirst(await notices.send())),
    scheduled('accounts.close', '7 * * * *', async () => throwFirst(await closings.sweep())),
    // Daily, as other instances may have written with an older key until they were restarted.
    scheduled('secrets.reseal', '27 3 * * *', reseal, true),
    ...handlers,
    ...Object.entries({ ...sweepsOf(sweeping), ...sweeps }).map(([name, sweep]) =>
      scheduled(`sweep.${name}`, '17 * * * *', async () => void (await sweep())),
    ),
  ];
}
