import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpDate } from './http-date.ts';

test('HTTP dates in every form are what Date.parse makes of them', () => {
  for (const date of [
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
  ]) {
    const time = Date.parse(date);
    assert.equal(httpDate(date), Number.isNaN(time) ? undefined : Math.floor(time / 1000), date);
  }
});
