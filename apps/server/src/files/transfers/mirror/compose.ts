import type { Db } from '#/platform/db/schema/engine.ts';
import type { Runner } from '../runner.ts';
import { createDeletions } from './deletions.ts';
import { createMirrorPlanner } from './plan.ts';
import { createMirrorStore } from './store.ts';

type Deps = Omit<Parameters<typeof createDeletions>[0], 'store'>;
type Plan = ReturnType<typeof createMirrorPlanner>['plan'];

/** Adds mirrors to the planner and the runner of copies and moves. */
export function withMirrors<P extends { readonly plan: Plan }>(
  db: Db,
  deps: Deps,
  planner: P,
  runner: Runner,
): { planner: P; runner: Runner } {
  const store = createMirrorStore(db);
  const mirrors = createMirrorPlanner({ ...deps, store });
  const deletions = createDeletions({ ...deps, store });
  const plan: Plan = (transfer, signal, progress) => (transfer.kind === 'mirror' ? mirrors : planner).plan(transfer, signal, progress);
  return {
    planner: { ...planner, plan },
    runner: {
      async run(transfer, counters, signal) {
        const end = await runner.run(transfer, counters, signal);
        return end.kind === 'done' && transfer.kind === 'mirror' ? deletions.run(transfer, counters, signal) : end;
      },
    },
  };
}
