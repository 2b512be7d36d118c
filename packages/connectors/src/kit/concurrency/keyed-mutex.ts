/** Runs work of one key after the other; work of other keys runs meanwhile. */
export type KeyedMutex = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** For changes in two steps, such as checking whether a name is free and taking it. A failure does not stop the work behind it. */
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

/** Runs one piece of work after the other. */
export function createMutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const mutex = createKeyedMutex();
  return (work) => mutex('', work);
}
