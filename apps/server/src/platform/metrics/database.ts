import type { Reading } from '#/platform/tracing/tracing.ts';

interface Deps {
  /** Resolves when the database answers. */
  readonly ping: () => Promise<void>;
  readonly bytes: () => Promise<number>;
  readonly onTrouble: (error: unknown) => void;
}

/** Units of the gauges of {@link databaseReadings}. */
export const databaseUnits = { 'sheaf.database.up': '1', 'sheaf.database.answer.duration': 's', 'sheaf.database.size': 'By' } as const;

/** Whether the database answers, how fast, and its size. While it does not answer, only the first. */
export async function databaseReadings({ ping, bytes, onTrouble }: Deps): Promise<Reading<keyof typeof databaseUnits>[]> {
  try {
    const before = performance.now();
    await ping();
    const seconds = (performance.now() - before) / 1000;
    return [
      { name: 'sheaf.database.up', value: 1 },
      { name: 'sheaf.database.answer.duration', value: seconds },
      { name: 'sheaf.database.size', value: await bytes() },
    ];
  } catch (error) {
    onTrouble(error);
    return [{ name: 'sheaf.database.up', value: 0 }];
  }
}

/** The same in Prometheus's text format. */
export async function databaseLines(deps: Deps): Promise<string[]> {
  const values = new Map((await databaseReadings(deps)).map(({ name, value }) => [name, value]));
  const up = [
    '# HELP sheaf_database_up Whether the database answers.',
    '# TYPE sheaf_database_up gauge',
    `sheaf_database_up ${values.get('sheaf.database.up') ?? 0}`,
  ];
  if (values.size === 1) return up;
  return [
    ...up,
    '# HELP sheaf_database_answer_seconds How long the database took to answer a small question.',
    '# TYPE sheaf_database_answer_seconds gauge',
    `sheaf_database_answer_seconds ${values.get('sheaf.database.answer.duration')}`,
    '# HELP sheaf_database_bytes Size of the database.',
    '# TYPE sheaf_database_bytes gauge',
    `sheaf_database_bytes ${values.get('sheaf.database.size')}`,
  ];
}
