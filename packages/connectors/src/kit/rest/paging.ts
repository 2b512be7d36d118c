import type { CallOptions } from '../../core/connector.ts';
import { markHandled } from '../concurrency/mark-handled.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../concurrency/retry-busy.ts';

/**
 * Fetches up to `width` pages concurrently and yields them in order; ends after the last. `fetch` returns one page by its number, from 0.
 * Retries a page after a transient failure: earlier pages were already yielded, so that the caller cannot start over.
 */
export async function* pagesInParallel<Page>(
  count: number,
  width: number,
  { signal }: CallOptions,
  fetch: (page: number) => Promise<Page>,
): AsyncGenerator<Page> {
  const ahead: Promise<Page>[] = [];
  let next = 0;
  const fill = () => {
    while (next < count && ahead.length < width) {
      // Marked as handled, because a page fetched after a failed one is never awaited.
      const page = next;
      ahead.push(markHandled(retryWhileBusy(signal, () => fetch(page), isOutcomeUnknown)));
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

/**
 * Yields pages that each contain the cursor of the next one. Retries transient failures as above; the first page fails at once, because its
 * caller can start over.
 */
export async function* pagesInSequence<Page, Cursor>(
  first: Cursor,
  { signal }: CallOptions,
  fetch: (cursor: Cursor) => Promise<{ readonly page: Page; readonly next?: Cursor }>,
): AsyncGenerator<Page> {
  let cursor: Cursor | undefined = first;
  let isFirst = true;
  while (cursor !== undefined) {
    const place: Cursor = cursor;
    const answer: { readonly page: Page; readonly next?: Cursor } = await (isFirst
      ? fetch(place)
      : retryWhileBusy(signal, () => fetch(place), isOutcomeUnknown));
    isFirst = false;
    yield answer.page;
    cursor = answer.next;
  }
}
