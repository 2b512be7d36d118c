import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProviderLoad } from './provider-load.ts';

test('calls, failures and refusals for too many requests are counted for an hour, the busiest source first', () => {
  let time = 600_000;
  const load = createProviderLoad(() => time);
  load.ended('dropbox', false);
  load.limited('dropbox');
  time += 1800;
  for (let call = 0; call < 3; call++) load.ended('box', call === 0);
  load.ended('dropbox', false);
  assert.deepEqual(load.lastHour(), [
    { source: 'box', calls: 3, failed: 1, limited: 0 },
    { source: 'dropbox', calls: 2, failed: 0, limited: 1, limitedAt: 600_000 },
  ]);
  time += 1860;
  assert.deepEqual(load.lastHour(), [
    { source: 'box', calls: 3, failed: 1, limited: 0 },
    { source: 'dropbox', calls: 1, failed: 0, limited: 0 },
  ]);
  time += 3600;
  assert.deepEqual(load.lastHour(), []);
});
