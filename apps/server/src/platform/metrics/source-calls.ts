/** One finished call to a linked source. */
interface SourceCall {
  readonly connector: string;
  readonly operation: string;
  readonly outcome: string;
  readonly milliseconds: number;
}

interface Sum {
  count: number;
  milliseconds: number;
}

/** Calls to linked sources as counted by this process, in Prometheus's text format: what providers answer, and how fast. Names no link and no file. */
export function createSourceCalls() {
  const sums = new Map<string, Sum>();
  return {
    count({ connector, operation, outcome, milliseconds }: SourceCall): void {
      const labels = `connector="${connector}",operation="${operation}",outcome="${outcome}"`;
      const sum = sums.get(labels) ?? { count: 0, milliseconds: 0 };
      sum.count += 1;
      sum.milliseconds += milliseconds;
      sums.set(labels, sum);
    },

    lines: (): string[] => [
      '# HELP sheaf_source_call_seconds Calls to linked sources by connector and outcome; their time includes waiting and further tries.',
      '# TYPE sheaf_source_call_seconds summary',
      ...[...sums].flatMap(([labels, { count, milliseconds }]) => [
        `sheaf_source_call_seconds_sum{${labels}} ${milliseconds / 1000}`,
        `sheaf_source_call_seconds_count{${labels}} ${count}`,
      ]),
    ],
  };
}
