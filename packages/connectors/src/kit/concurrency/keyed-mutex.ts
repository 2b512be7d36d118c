/** Runs work of one key in sequence, and work of different keys concurrently. */
export type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** For changes in two steps, such as checking that a name is free and taking it. A failure does not stop the work queued behind it. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, ended);
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key);
    });
    return result;
  };
}

/** Runs one piece of work after the other, without keys. */
export function createMutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const mutex = createKeyedMutex();
  return (work) => mutex('', work);
}
