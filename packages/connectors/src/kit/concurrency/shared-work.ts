import { reasonOf, unlessAborted } from './unless-aborted.ts';

interface Job<T> {
  readonly result: Promise<T>;
  readonly life: AbortController;
  waiting: number;
}

/**
 * Lets concurrent callers share one run of the work. Aborts it when the last caller has left; each caller rejects with its own signal's
 * reason.
 */
export function createSharedWork<T>() {
  const jobs = new Map<string, Job<T>>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<T>): Job<T> => {
    const life = new AbortController();
    const job: Job<T> = { result: work(life.signal), life, waiting: 0 };
    jobs.set(key, job);
    const end = (): void => {
      if (jobs.get(key) === job) jobs.delete(key);
    };
    job.result.then(end, end);
    return job;
  };

  return async (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const job = jobs.get(key) ?? begin(key, work);
    job.waiting += 1;
    try {
      return await unlessAborted(job.result, signal, reasonOf);
    } finally {
      job.waiting -= 1;
      if (job.waiting === 0) {
        if (jobs.get(key) === job) jobs.delete(key);
        job.life.abort();
      }
    }
  };
}
