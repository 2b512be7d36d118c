interface Deps {
  /** Resolves when the database answers. */
  readonly ping: () => Promise<void>;
  readonly bytes: () => Promise<number>;
  readonly onTrouble: (error: unknown) => void;
}

/** Answer and size of the database, in Prometheus's text format. While it does not answer, only that is told. */
export async function databaseLines({ ping, bytes, onTrouble }: Deps): Promise<string[]> {
  const up = (isUp: boolean): string[] => ['# TYPE sheaf_database_up gauge', `sheaf_database_up ${isUp ? 1 : 0}`];
  try {
    const before = performance.now();
    await ping();
    const seconds = (performance.now() - before) / 1000;
    return [
      ...up(true),
      '# HELP sheaf_database_answer_seconds How long the database took to answer a small question.',
      '# TYPE sheaf_database_answer_seconds gauge',
      `sheaf_database_answer_seconds ${seconds}`,
      '# TYPE sheaf_database_bytes gauge',
      `sheaf_database_bytes ${await bytes()}`,
    ];
  } catch (error) {
    onTrouble(error);
    return up(false);
  }
}
