import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHttpDates, httpDate } from './http-date.ts';

const dates = [
  'Sun, 06 Nov 1994 08:49:37 GMT',
  'Sunday, 06-Nov-94 08:49:37 GMT',
  'Sun Nov  6 08:49:37 1994',
  'Sat, 29 Feb 2020 23:59:59 GMT',
  'Sat, 30 Feb 2020 23:59:59 GMT',
  'Mon, 31 Dec 2029 00:00:00 GMT',
  'Sun, 00 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 0094 08:49:37 GMT',
  'Sun, 06 Nov 1994 24:00:00 GMT',
  'Sun, 06 Nov 1994 08:60:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 +0200',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  'yesterday',
  '',
];

test('HTTP dates in every form are parsed as by Date.parse', () => {
  for (const date of dates) {
    const time = Date.parse(date);
    assert.equal(httpDate(date), Number.isNaN(time) ? undefined : Math.floor(time / 1000), date);
  }
});

test('consecutive dates are parsed independently', () => {
  const clocks = ['00:00:00', '23:59:59', '24:00:00', '08:60:00', '08:49:60', '08.49:37', '8:49:37 '];
  const ofOneDay = clocks.map((clock) => `Sun, 06 Nov 1994 ${clock} GMT`);
  const read = createHttpDates();
  for (const before of ['Sun, 06 Nov 1994 08:49:37 GMT', 'Wed, 31 Dec 1969 23:59:58 GMT', ...dates])
    for (const date of [before, ...ofOneDay, ...dates, 'Sun, 06 Nov 1994 08:49:37 CET'])
      assert.equal(read(date), httpDate(date), `${date} after ${before}`);
});
