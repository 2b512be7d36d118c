import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byDay } from './days.ts';

test('entries are grouped under today, yesterday and the date, in their order', () => {
  const now = new Date(2026, 2, 1, 9);
  const entry = (id: string, date: Date) => ({
    id,
    at: date.getTime() / 1000,
    actorName: 'Mara',
    action: 'link.add',
    sentence: '',
    name: '',
  });
  const entries = [
    entry('a', new Date(2026, 2, 1, 8)),
    entry('b', new Date(2026, 2, 1, 0)),
    entry('c', new Date(2026, 1, 28, 23)),
    entry('d', new Date(2026, 1, 27)),
  ];
  // Locale data may or may not put a comma here.
  const titled = byDay(entries, now, 'en-GB').map(({ title, entries: ofDay }) => [
    title.replace(',', ''),
    ofDay.map(({ id }) => id).join(''),
  ]);
  assert.deepEqual(titled, [
    ['Today', 'ab'],
    ['Yesterday', 'c'],
    ['Friday 27 February 2026', 'd'],
  ]);
});
