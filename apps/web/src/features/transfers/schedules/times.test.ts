import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronOf } from './times.ts';

test('a frequency and a time become cron text', () => {
  assert.equal(cronOf('hourly', '02:30'), '30 * * * *');
  assert.equal(cronOf('daily', '02:05'), '5 2 * * *');
  assert.equal(cronOf('weekly', '23:00'), '0 23 * * 1');
});
