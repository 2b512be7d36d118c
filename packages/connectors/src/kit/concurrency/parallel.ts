/**
 * Runs `work` on every item, at most `width` at a time; takes the next item only when there is room. Starts nothing more after a failure,
 * and rejects with the first failure when all running work has ended.
 */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const begin = (item: Item) => {
    const task: Promise<void> = work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(task));
    running.add(task);
  };
  try {
    for await (const item of items) {
      begin(item);
      if (running.size >= width) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}

/** Like {@link inParallel}, but works on all items even if some fail; rejects with the first failure when all have ended. */
export async function allInParallel<Item>(items: Iterable<Item>, width: number, work: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  await inParallel(items, width, (item) => work(item).catch((error: unknown) => void failures.push(error)));
  if (failures.length > 0) throw failures[0];
}
