import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTimetable, limitAt, limitNow, parseTimetable } from './bandwidth-timetable.ts';

const at = (text: string, day: number, time: string): number | null => {
  const rules = parseTimetable(text);
  assert.ok(rules, text);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return limitAt(rules, day, hour * 60 + minute);
};

test('the first rule that matches the hour of the week applies, and no rule means no limit', () => {
  const text = 'Mon-Fri 08:00-18:00 512k, sat 1.5M, 10M';
  assert.equal(at(text, 1, '08:00'), 512 * 1024);
  assert.equal(at(text, 1, '17:59'), 512 * 1024);
  assert.equal(at(text, 1, '18:00'), 10 * 1024 ** 2);
  assert.equal(at(text, 6, '12:00'), 1.5 * 1024 ** 2);
  assert.equal(at(text, 0, '12:00'), 10 * 1024 ** 2);
  assert.equal(at('08:00-18:00 512k, off', 3, '20:00'), null);
  assert.equal(at('08:00-18:00 512k', 3, '20:00'), null);
  assert.equal(at('', 3, '20:00'), null);
});

test('hours over midnight belong to the day on which they begin, and days may span the weekend', () => {
  assert.equal(at('Fri 22:00-06:00 64k', 5, '23:00'), 65_536);
  assert.equal(at('Fri 22:00-06:00 64k', 6, '05:59'), 65_536);
  assert.equal(at('Fri 22:00-06:00 64k', 5, '05:59'), null);
  assert.equal(at('Sat-Mon 00:00-24:00 64k', 1, '13:00'), 65_536);
  assert.equal(at('Sat-Mon 64k', 2, '13:00'), null);
});

test('other text is refused', () => {
  for (const text of ['fast', '512', '8-18 512k', 'Xyz 512k', '08:00-25:00 512k', '08:60-09:00 1M', '512k,', '0', '-1k', '08:00-18:00'])
    assert.equal(parseTimetable(text), undefined, text);
});

test('rules written as text are parsed as the same rules', () => {
  for (const text of ['', '512k', 'Mon-Fri 08:00-18:00 512k, Sat 1536k, 10240k', 'Sat-Mon 22:05-06:00 1025, off']) {
    const rules = parseTimetable(text);
    assert.ok(rules);
    assert.equal(formatTimetable(rules), text);
  }
});

test('the limit at a given time follows the clocks of the time zone', () => {
  const rules = parseTimetable('Mon 08:00-18:00 512k');
  assert.ok(rules);
  // Monday, 1 June 2026, 07:30 in London, 08:30 in Berlin.
  const time = Date.UTC(2026, 5, 1, 6, 30);
  assert.deepEqual([limitNow(rules, 'Europe/London', time), limitNow(rules, 'Europe/Berlin', time)], [null, 512 * 1024]);
});
