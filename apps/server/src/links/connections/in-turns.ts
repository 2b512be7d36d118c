/** Concurrent lookups: fewer than the database has connections, so that requests find one. */
const atOnce = 4;

/** Runs `work` on every item, a few at a time. Rejects with the first failure, after all have ended. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const run = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const item of rest) await work(item).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, run));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
