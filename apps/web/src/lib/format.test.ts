import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, formatModified, formatSize } from './format.ts';

const now = new Date(2026, 10, 21, 12, 0);
const seconds = (...date: [number, number, number, number, number]): number => new Date(...date).getTime() / 1000;

test('an item modified today shows the time [BRW-22]', () => {
  assert.equal(formatModified(seconds(2026, 10, 21, 9, 41), now, 'en-GB'), '09:41');
  assert.equal(formatModified(seconds(2026, 10, 21, 0, 0), now, 'en-GB'), '00:00');
});

test('an item modified yesterday shows "Yesterday" and the time [BRW-23]', () => {
  assert.equal(formatModified(seconds(2026, 10, 20, 23, 59), now, 'en-GB'), 'Yesterday 23:59');
  assert.equal(formatModified(seconds(2026, 10, 20, 0, 0), now, 'en-GB'), 'Yesterday 00:00');
});

test('an older item shows the date [BRW-24]', () => {
  assert.equal(formatModified(seconds(2026, 10, 19, 23, 59), now, 'en-GB'), '19 Nov 2026');
  assert.equal(formatModified(seconds(2025, 5, 12, 8, 0), now, 'en-GB'), '12 Jun 2025');
});

test('sizes have three digits at most', () => {
  const sizes = [0, 1, 1023, 1024, 65_536, 3_250_586, 333_447_168, 1_288_490_189];
  assert.deepEqual(sizes.map(formatSize), ['0 bytes', '1 byte', '1023 bytes', '1 KB', '64 KB', '3.1 MB', '318 MB', '1.2 GB']);
});

test('a duration is shown in its largest fitting unit', () => {
  assert.deepEqual([0.2, 26, 59.6, 240, 7000].map(formatDuration), ['1 s', '26 s', '1 min', '4 min', '2 h']);
});

test('times follow a computer into another time zone', (t) => {
  const { TZ } = process.env;
  t.after(() => (TZ === undefined ? delete process.env['TZ'] : (process.env['TZ'] = TZ)));
  const noon = Date.UTC(2026, 10, 21, 12, 0) / 1000;
  const shown = (zone: string): string => {
    process.env['TZ'] = zone;
    return formatModified(noon, new Date(noon * 1000), 'en-GB');
  };
  assert.deepEqual(['Europe/Berlin', 'Asia/Tokyo', 'Europe/Berlin'].map(shown), ['13:00', '21:00', '13:00']);
});
