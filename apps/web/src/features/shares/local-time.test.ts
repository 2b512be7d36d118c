import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localTimeOf, secondsOf } from './local-time.ts';

test('a time goes into a field of date and time and comes back, in the time zone of the browser', () => {
  const seconds = new Date(2027, 2, 9, 7, 5).getTime() / 1000;
  assert.equal(localTimeOf(seconds), '2027-03-09T07:05');
  assert.equal(secondsOf(localTimeOf(seconds)), seconds);
  assert.equal(secondsOf(''), undefined);
});
