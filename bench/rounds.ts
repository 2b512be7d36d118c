/** Someone who can do the task, such as Sheaf or rclone. */
export interface Contender {
  readonly name: string;
  /** Does the task once and gives its measure: seconds unless the case says otherwise. */
  run(round: number): Promise<number>;
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
};

/** The value that a share of the values is at most, such as 0.95 of them. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN;

/**
 * Lets all contenders do the task in turns, first `unmeasured` times that do not count, then `rounds` times, each time beginning with another one, so that what slows the machine
 * slows all of them. Gives the median of each by name.
 */
export async function takeTurns(contenders: readonly Contender[], rounds: number, unmeasured = 1): Promise<ReadonlyMap<string, number>> {
  const measured = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < unmeasured + rounds; round++) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const value = await contender.run(round);
      if (round >= unmeasured) measured.get(contender.name)?.push(value);
    }
  }
  return new Map([...measured].map(([name, values]) => [name, median(values)]));
}

/** Seconds that it takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
