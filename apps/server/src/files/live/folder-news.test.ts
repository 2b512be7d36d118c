import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LinkNews, createFolderNews } from './folder-news.ts';
import { newsOf, payloadOf } from './wire.ts';

test('many changes of a link are delivered as a few, and none is lost', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let time = 0;
  const published: LinkNews[] = [];
  const news = createFolderNews({ now: () => time, publish: (all) => void published.push(...all) });
  const heard: (LinkNews | undefined)[] = [];
  const unfollow = news.follow('a', (one) => void heard.push(one));
  const pass = (milliseconds: number): void => {
    time += milliseconds;
    t.mock.timers.tick(milliseconds);
  };
  news.tell('a', '/x', 'changed');
  pass(0);
  assert.deepEqual(heard.splice(0), [{ linkId: 'a', changed: ['/x'], gone: [] }], 'the first change is told at once');
  for (let change = 0; change < 40; change++) {
    news.tell('a', `/x/${change % 3}`, change === 7 ? 'gone' : 'changed');
    news.tell('b', '/', 'changed');
  }
  pass(49);
  assert.deepEqual(heard, []);
  pass(1);
  assert.deepEqual(heard.splice(0), [{ linkId: 'a', changed: ['/x/0', '/x/1', '/x/2'], gone: ['/x/1'] }]);
  assert.equal(published.length, 3);
  for (let change = 0; change < 500; change++) news.tell('a', `/y/${change}`, 'changed');
  pass(50);
  assert.deepEqual(heard.splice(0), [{ linkId: 'a', changed: [], gone: [], isCut: true }]);

  unfollow();
  news.tell('a', '/z', 'changed');
  pass(50);
  assert.deepEqual(heard, []);
  const later: (LinkNews | undefined)[] = [];
  news.follow('b', (one) => void later.push(one));
  assert.deepEqual(later, [{ linkId: 'b', changed: ['/'], gone: [] }], 'a new follower hears of the last seconds');
  news.missed();
  assert.deepEqual(later.at(-1), undefined);
});

test('news between instances keep to the length of a notification, and nobody’s own or malformed ones are taken', () => {
  const one: LinkNews = { linkId: 'a', changed: ['/x'], gone: [] };
  assert.deepEqual(newsOf(payloadOf(one, 'first'), 'second'), one);
  assert.equal(newsOf(payloadOf(one, 'first'), 'first'), undefined);
  for (const text of ['', 'null', '{"from":"x","link":"a"}']) assert.equal(newsOf(text, 'second'), undefined);
  const long = payloadOf({ ...one, changed: Array.from({ length: 100 }, (_, at) => `/${'ü'.repeat(100)}${at}`) }, 'first');
  assert.ok(Buffer.byteLength(long) < 8000);
  assert.deepEqual(newsOf(long, 'second'), { linkId: 'a', changed: [], gone: [], isCut: true });
});
