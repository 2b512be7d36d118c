import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPacer } from './start-downloads.ts';

test('all downloads start in order, and never eleven within a second', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const begun: { readonly href: string; readonly at: number }[] = [];
  const start = createPacer((href) => void begun.push({ href, at: now }));
  const pass = (milliseconds: number): void => {
    for (let step = 0; step < milliseconds; step += 10) {
      now += 10;
      t.mock.timers.tick(10);
    }
  };
  const hrefs = Array.from({ length: 35 }, (_, index) => `/${index}`);
  for (const href of hrefs.slice(0, 7)) start(href);
  assert.equal(begun.length, 7, 'the first ones wait for nobody');
  pass(600);
  for (const href of hrefs.slice(7)) start(href);
  assert.equal(begun.length, 10);
  pass(10_000);
  assert.deepEqual(
    begun.map(({ href }) => href),
    hrefs,
  );
  for (const [index, { at }] of begun.entries()) {
    const eleventh = begun[index + 10];
    if (eleventh) assert.ok(eleventh.at - at > 1000, `${eleventh.href} ${eleventh.at - at} ms after ${index}`);
  }
});
