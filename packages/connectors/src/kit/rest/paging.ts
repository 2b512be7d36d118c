import type { Ask } from '../../core/connector.ts';
import { isUnclear, patiently } from '../concurrency/patience.ts';
import { waitedLater } from '../concurrency/waited-later.ts';

/**
 * Fetches up to `width` pages concurrently and yields them in order; ends after the last. `fetch` returns one page by its number, from 0. Retries a
 * page after a transient failure: earlier ones were yielded already, so the caller cannot start over.
 */
export async function* pagesInParallel<Page>(
  count: number,
  width: number,
  { signal }: Ask,
  fetch: (page: number) => Promise<Page>,
): AsyncGenerator<Page> {
  const ahead: Promise<Page>[] = [];
  let next = 0;
  const fill = () => {
    while (next < count && ahead.length < width) {
      // A page fetched after a failed one is dropped.
      const page = next;
      ahead.push(waitedLater(patiently(signal, () => fetch(page), isUnclear)));
      next += 1;
    }
  };
  try {
    for (fill(); ahead.length > 0; fill()) {
      const page = await ahead.shift();
      fill();
      if (page !== undefined) yield page;
    }
  } finally {
    await Promise.allSettled(ahead);
  }
}

/** Pages that each contain the address of the next one. Retries transient failures as above; the first page fails at once. */
export async function* pagesInSequence<Page, Cursor>(
  first: Cursor,
  { signal }: Ask,
  fetch: (cursor: Cursor) => Promise<{ readonly page: Page; readonly next?: Cursor }>,
): AsyncGenerator<Page> {
  let cursor: Cursor | undefined = first;
  let isFirst = true;
  while (cursor !== undefined) {
    const place: Cursor = cursor;
    const answer: { readonly page: Page; readonly next?: Cursor } = await (isFirst
      ? fetch(place)
      : patiently(signal, () => fetch(place), isUnclear));
    isFirst = false;
    yield answer.page;
    cursor = answer.next;
  }
}
