import { Type } from 'typebox';
import { type JobHandler, defineJob } from './platform/jobs/job.ts';
import type { JobRequest } from './platform/jobs/jobs.ts';

/** Goes on after an error; returns all that occurred. */
interface Task {
  sweep(): Promise<readonly unknown[]>;
}
/** Removes what has expired. */
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
  /** What else removes expired rows, by a name that ends the kind. */
  readonly sweeps: Readonly<Record<string, () => Promise<unknown>>>;
  readonly enqueue: (...jobs: readonly JobRequest[]) => Promise<unknown>;
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

const Nothing = Type.Object({});

/** The kind that looks for what broken uploads and moves have left. */
export const leftoversKind = 'leftovers.find';

/** The first error of a task that goes on after one, so that the job counts as failed and says why. */
function throwFirst(errors: readonly unknown[]): void {
  if (errors.length > 0) throw errors[0];
}

/** What Sheaf does by itself. Each is a job of its own: one that fails stops no other. */
export function backgroundTasks({ leftovers, closings, subscriptions, notices, sweeps, enqueue, ...sweeping }: Deps): JobHandler[] {
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
    scheduled('billing.settle', '* * * * *', async () => throwFirst(await subscriptions.settle()), true),
    scheduled('notices.send', '*/10 * * * *', async () => throwFirst(await notices.send())),
    scheduled('accounts.close', '7 * * * *', async () => throwFirst(await closings.sweep())),
    ...Object.entries({ ...sweepsOf(sweeping), ...sweeps }).map(([name, sweep]) =>
      scheduled(`sweep.${name}`, '17 * * * *', async () => void (await sweep())),
    ),
  ];
}
