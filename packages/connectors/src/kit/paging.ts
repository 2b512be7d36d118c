import { waitedLater } from './waited-later.ts';

/** Pages fetched at the same time, in their order, as many ahead as `width`; ends after the last. `fetch` gives one page by its number, from 0. */
export async function* pagesInParallel<Page>(count: number, width: number, fetch: (page: number) => Promise<Page>): AsyncGenerator<Page> {
  const ahead: Promise<Page>[] = [];
  let next = 0;
  const fill = () => {
    while (next < count && ahead.length < width) {
      // One never taken because an earlier one failed is nobody's.
      ahead.push(waitedLater(fetch(next)));
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

/** Pages that each tell where the next one is. */
export async function* pagesInSequence<Page, Cursor>(
  first: Cursor,
  fetch: (cursor: Cursor) => Promise<{ readonly page: Page; readonly next?: Cursor }>,
): AsyncGenerator<Page> {
  let cursor: Cursor | undefined = first;
  while (cursor !== undefined) {
    const answer: { readonly page: Page; readonly next?: Cursor } = await fetch(cursor);
    yield answer.page;
    cursor = answer.next;
  }
}
