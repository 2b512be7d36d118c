import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { type JobHandler, defineJob } from '#/platform/jobs/job.ts';

/** A job of many short steps; each is reported before it is stored, so that a kill repeats one step at most. */
export const stepsJob = (onStep: (step: number, id: string) => void): JobHandler =>
  defineJob({
    kind: 'test.steps',
    payload: Type.Object({ steps: Type.Integer() }),
    async run({ id, payload, progress, checkpoint, signal }) {
      for (let step = typeof progress === 'number' ? progress : 0; step < payload.steps; step++) {
        signal.throwIfAborted();
        onStep(step, id);
        await checkpoint(step + 1);
        await sleep(2);
      }
    },
  });
