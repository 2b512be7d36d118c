import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { zonedCron } from './zoned-cron.ts';

const times = (text: string, zone: string, at: string, count: number): string[] => {
  const cron = zonedCron(text, zone);
  let time = Date.parse(at);
  return Array.from({ length: count }, () => {
    time = cron.next(time);
    return new Date(time).toISOString().slice(0, 16);
  });
};

test('a schedule follows the clocks of its zone in summer and winter', () => {
  assert.deepEqual(times('0 9 * * *', 'Europe/Berlin', '2026-10-24T00:00:00Z', 3), [
    '2026-10-24T07:00',
    '2026-10-25T08:00',
    '2026-10-26T08:00',
  ]);
  assert.deepEqual(times('30 0 1 * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', 2), ['2026-01-31T19:00', '2026-02-28T19:00']);
  assert.deepEqual(times('0 0 * * 1', 'Pacific/Auckland', '2026-11-23T00:00:00Z', 1), ['2026-11-29T11:00']);
});

test('a time skipped by the clocks in spring runs an hour later by the clock, once', () => {
  assert.deepEqual(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2), ['2026-03-29T01:30', '2026-03-30T00:30']);
  assert.deepEqual(times('30 2 * * *', 'America/New_York', '2026-03-07T12:00:00Z', 2), ['2026-03-08T07:30', '2026-03-09T06:30']);
});

test('a time repeated in autumn runs once', () => {
  assert.deepEqual(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30', '2026-10-26T01:30']);
  assert.deepEqual(times('30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', 2), ['2026-11-01T05:30', '2026-11-02T06:30']);
});

test('each time is later than the one before, in every zone', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns'];
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }), (zone, at) => {
      const cron = zonedCron('*/30 * * * *', zone);
      let time = at;
      for (let turn = 0; turn < 10; turn++) {
        const next = cron.next(time);
        // The repeated hour is left out once a year.
        assert.ok(next > time && next - time <= 5_400_000, `${zone} ${new Date(time).toISOString()} ${new Date(next).toISOString()}`);
        time = next;
      }
    }),
    { numRuns: 200 },
  );
});

test('an unknown zone is refused', () => {
  assert.throws(() => zonedCron('0 0 * * *', 'Mars/Olympus'), RangeError);
});
