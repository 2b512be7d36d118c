import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitAt, parseTimetable } from './bandwidth-timetable.ts';

const at = (text: string, day: number, time: string): number | null => {
  const rules = parseTimetable(text);
  assert.ok(rules, text);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return limitAt(rules, day, hour * 60 + minute);
};

test('the first rule that fits the hour of the week holds, and no rule means no limit', () => {
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
