import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCron } from './cron.ts';

const after = (text: string, at: string, count = 1): string => {
  const cron = parseCron(text);
  let time = Date.parse(at);
  for (let turn = 0; turn < count; turn++) time = cron.next(time);
  return new Date(time).toISOString();
};

test('a schedule gives the next time in UTC', () => {
  assert.equal(after('* * * * *', '2026-01-31T23:59:00Z'), '2026-02-01T00:00:00.000Z');
  assert.equal(after('*/10 * * * * *', '2026-01-01T00:00:09.999Z'), '2026-01-01T00:00:10.000Z');
  assert.equal(after('17 4 * * *', '2026-01-01T04:17:00Z'), '2026-01-02T04:17:00.000Z');
  assert.equal(after('0 0 29 2 *', '2026-01-01T00:00:00Z'), '2028-02-29T00:00:00.000Z');
  assert.equal(after('30 9 * * 1-5', '2026-11-20T10:00:00Z'), '2026-11-23T09:30:00.000Z');
  assert.equal(after('0 0 * * 7', '2026-11-23T00:00:00Z'), '2026-11-29T00:00:00.000Z');
  assert.equal(after('0 12 13 * 5', '2026-11-01T00:00:00Z', 2), '2026-11-13T12:00:00.000Z');
});

test('text that is not a schedule, or never comes, is refused', () => {
  for (const text of ['', '* * * *', '60 * * * *', 'a * * * *', '*/0 * * * *', '5-1 * * * *', '0 0 31 2 *', '* * * * * * *'])
    assert.throws(() => parseCron(text), RangeError, text);
});

test('no matching minute between two times is left out', () => {
  const minute = 60_000;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 1, max: 30 }), fc.nat(4_000_000_000), (from, step, second) => {
      const time = second * 1000;
      const next = parseCron(`${from}/${step} * * * *`).next(time);
      const matches = (at: number): boolean => {
        const value = new Date(at).getUTCMinutes();
        return value >= from && (value - from) % step === 0;
      };
      assert.ok(matches(next) && next % minute === 0 && next > time);
      for (let at = next - minute; at > time; at -= minute) assert.ok(!matches(at));
    }),
  );
});
