import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectorError } from '../../core/error.ts';
import { pagesInParallel, pagesInSequence } from './paging.ts';

const ask = { signal: AbortSignal.timeout(60_000) };
const busy = new ConnectorError('rateLimited', 'slow down', { retryable: true });

describe('pages', () => {
  test('that come later are retried when the service is busy; the first in a sequence is not', async () => {
    let refusals = 2;
    const unlessBusy = async <Page>(page: Page): Promise<Page> => {
      if (refusals-- > 0) throw busy;
      return page;
    };
    assert.deepEqual(await Array.fromAsync(pagesInParallel(3, 2, ask, unlessBusy)), [0, 1, 2]);
    const fetch = async (cursor: number) => ({
      page: cursor > 1 ? await unlessBusy(cursor) : cursor,
      ...(cursor < 3 && { next: cursor + 1 }),
    });
    refusals = 2;
    assert.deepEqual(await Array.fromAsync(pagesInSequence(1, ask, fetch)), [1, 2, 3]);
    refusals = 1;
    await assert.rejects(Array.fromAsync(pagesInSequence(2, ask, fetch)), { kind: 'rateLimited' });
  });

  test('in parallel arrive in order, never more than the width at a time', async () => {
    let underWay = 0;
    let most = 0;
    const pages = pagesInParallel(20, 4, ask, async (page) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await sleep(page % 3);
      underWay -= 1;
      return page;
    });
    assert.deepEqual(
      await Array.fromAsync(pages),
      Array.from({ length: 20 }, (_, page) => page),
    );
    assert.equal(most, 4);
  });

  test('a failed page ends them after the earlier pages, and no request continues', async () => {
    const fetched: number[] = [];
    const pages = pagesInParallel(20, 4, ask, async (page) => {
      fetched.push(page);
      if (page === 2) throw new Error('page 2');
      return page;
    });
    const taken: number[] = [];
    await assert.rejects(async () => {
      for await (const page of pages) taken.push(page);
    }, /page 2/);
    assert.deepEqual(taken, [0, 1]);
    assert.ok(fetched.length <= 8, `${fetched.length} were fetched`);
  });

  test('cancelled early, no further page is fetched', async () => {
    let fetched = 0;
    for await (const page of pagesInParallel(100, 3, ask, async (number) => ((fetched += 1), number))) if (page === 1) break;
    assert.ok(fetched <= 6, `${fetched} were fetched`);
  });

  test('in sequence follow their cursors to the end', async () => {
    const pages = pagesInSequence(1, ask, async (cursor: number) => ({ page: cursor * 10, ...(cursor < 3 && { next: cursor + 1 }) }));
    assert.deepEqual(await Array.fromAsync(pages), [10, 20, 30]);
  });
});
