/** Lets one after the other work on the same thing. */
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** For what a source does in two steps, such as looking whether a name is free and taking it: works with the same key follow one another, others go side by side. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    // The next in line waits for the end, whatever it is.
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, ended);
    void ended.then(() => {
      if (last.get(key) === ended) last.delete(key);
    });
    return turn;
  };
}
