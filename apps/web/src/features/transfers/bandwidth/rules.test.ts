import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf, daysOffered, minutesOf, newRule, textOf, timeOf, timetableOf } from './rules.ts';

test('a timetable is shown as rows and a rest, and becomes the same text again', () => {
  for (const text of ['', '512k', 'Mon-Fri 08:00-18:00 2048k', 'Sat-Mon 22:00-06:00 off, Tue 512k, 10240k'])
    assert.equal(textOf(timetableOf(text)), text);
  assert.deepEqual([timetableOf('Tue 1k, 10k').rules.length, timetableOf('Tue 1k, 10k').otherwise], [1, 10_240]);
});

test('days and hours become choices, and choices become days and hours', () => {
  assert.deepEqual([...daysOf('Sat-Sun')], [6, 0]);
  assert.equal(daysOf('').size, 7);
  assert.ok(daysOffered({ ...newRule, days: daysOf('Sat-Mon') }).some(({ value }) => value === 'Sat-Mon'));
  assert.deepEqual([timeOf(485), minutesOf('08:05'), minutesOf('')], ['08:05', 485, undefined]);
});
