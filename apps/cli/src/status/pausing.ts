import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '#/failure.ts';
import { writePrivately } from '#/settings.ts';
import { type JobView, exists, jobsFolder, pausedFile } from './job-status.ts';

/** Milliseconds between two checks whether a job is paused. */
const every = 1000;

/** Pauses or resumes a job, by means of a file that its watcher checks. */
export async function setPaused(settings: string, { id }: Pick<JobView, 'id'>, isPaused: boolean): Promise<void> {
  const file = pausedFile(join(jobsFolder(settings), id));
  if (isPaused) await writePrivately(dirname(file), file, '');
  else await rm(file, { force: true });
}

/** Runs a pass of a job while it is not paused. A pause interrupts the pass, which starts over when the job is resumed. Rejects with the reason of `signal`. */
export async function unlessPaused<T>(job: string, pass: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  const file = pausedFile(job);
  for (;;) {
    while (await exists(file)) await wait(every, undefined, { signal });
    const pausing = new AbortController();
    const timer = setInterval(() => {
      exists(file).then(
        (isPaused) => isPaused && pausing.abort(new Failure('Paused.')),
        () => undefined,
      );
    }, every);
    try {
      return await pass(AbortSignal.any([signal, pausing.signal]));
    } catch (error) {
      if (signal.aborted || !pausing.signal.aborted) throw error;
    } finally {
      clearInterval(timer);
    }
  }
}
