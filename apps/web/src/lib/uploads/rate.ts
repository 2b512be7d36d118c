interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** Measures the rate over the last seconds: `note` takes the bytes so far and the time in ms, `rate` returns bytes per second. */
export function createRate(window = 4000) {
  let samples: Sample[] = [];
  return {
    note(bytes: number, at: number): void {
      samples = [...samples.filter((sample) => at - sample.at <= window), { at, bytes }];
    },
    rate(): number | undefined {
      const [first] = samples;
      const last = samples.at(-1);
      if (!first || !last || last.at - first.at < 250) return undefined;
      return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
    },
  };
}
