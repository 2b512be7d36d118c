import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Upload } from '../../lib/uploads/uploads.ts';
import { totalsOf } from './totals.ts';

const upload = (state: Upload['state'], size: number, sent: number, rate?: number) => ({
  state,
  file: new File(['x'.repeat(size)], 'f'),
  sent,
  rate,
});

test('the sum is over what is under way, not over what is done or has failed', () => {
  const uploads = [upload('running', 100, 50, 10), upload('waiting', 100, 0), upload('done', 100, 100), upload('failed', 100, 30)];
  assert.deepEqual(totalsOf(uploads), { open: 2, share: 0.25, secondsLeft: 15 });
});

test('without a speed nothing is said about the time left', () => {
  assert.deepEqual(totalsOf([]), { open: 0, share: 0, secondsLeft: undefined });
});
