import type { Ask } from '../../core/connector.ts';
import { isUnclear, patiently } from '../concurrency/patience.ts';
import { waitedLater } from '../concurrency/waited-later.ts';

/**
 * Pages fetched at the same time, in their order, as many ahead as `width`; ends after the last. `fetch` gives one page by its number, from 0. A page that fails for
 * a moment is asked for again: others were given already, and whoever has them cannot begin anew.
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
      // One never taken because an earlier one failed is nobody's.
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

/** Pages that each tell where the next one is. One that fails for a moment is asked for again, as above; the first one fails at once. */
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
