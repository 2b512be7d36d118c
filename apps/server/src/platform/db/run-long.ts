/** Runs statements on a Postgres connection of their own, each by itself and without a timeout: building an index may take long. */
export async function runLong(databaseUrl: string, statements: readonly string[], signal: AbortSignal): Promise<void> {
  const { default: postgres } = await import('pg');
  const client = new postgres.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, keepAlive: true });
  // A broken connection also rejects the statement that is running.
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const statement of statements) {
      signal.throwIfAborted();
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}
