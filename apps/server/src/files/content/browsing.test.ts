import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FirstPage } from '@sheaf/contract';
import { dataOf, testContent } from '#/testing/content.ts';

test('a stored page is encoded once, until its state changes', async (t) => {
  const { content, userId, uri, source, names, pass } = await testContent(t);
  source.put('/Fotos/a', 'x');
  await names('/Fotos');
  const ask = { sort: 'name', order: 'asc', fresh: false, refresh: false, limit: 25 } as const;
  const page = (linkUri: string) => content.firstPage(userId, { ...ask, linkUri }, AbortSignal.timeout(60_000));
  const further = () => content.page(userId, { ...ask, linkUri: uri('/Fotos'), offset: 0 }, AbortSignal.timeout(60_000));

  const first = await page(uri('/Fotos'));
  assert.equal(await page(uri('/Fotos')), first);
  const { listedAt } = dataOf<FirstPage>(first);

  const otherwise = uri('/Fotos').replace('/Fotos', '/%46otos');
  assert.equal(dataOf<FirstPage>(await page(otherwise)).items[0]?.linkUri, `${otherwise}/a`);
  assert.deepEqual(Object.keys(dataOf<FirstPage>(await further())), ['items', 'total', 'unfiltered', 'hasMore']);

  pass(60_000);
  await names('/Fotos');
  const later = dataOf<FirstPage>(await page(uri('/Fotos')));
  assert.deepEqual(later.items, dataOf<FirstPage>(first).items);
  assert.ok((later.listedAt ?? 0) > (listedAt ?? 0));
});
