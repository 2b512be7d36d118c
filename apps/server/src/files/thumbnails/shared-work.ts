interface Job<T> {
  readonly result: Promise<T>;
  readonly life: AbortController;
  waiting: number;
}

/** Runs work requested by several callers once. Aborts it when the last caller has left; each caller rejects with its own signal's reason. */
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
    const gone = Promise.withResolvers<never>();
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason is whatever its owner gave
    const leave = (): void => gone.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([job.result, gone.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      job.waiting -= 1;
      if (job.waiting === 0) {
        if (jobs.get(key) === job) jobs.delete(key);
        job.life.abort();
      }
    }
  };
}
