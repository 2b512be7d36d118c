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

test('the sum covers running transfers only, not finished or failed ones', () => {
  const uploads = [upload('running', 100, 50, 10), upload('waiting', 100, 0), upload('done', 100, 100), upload('failed', 100, 30)];
  assert.deepEqual(totalsOf(uploads), { open: 2, share: 0.25, secondsLeft: 15 });
});

test('without a speed no remaining time is shown', () => {
  assert.deepEqual(totalsOf([]), { open: 0, share: 0, secondsLeft: undefined });
});

test('transfers of the server are added to the uploads, and the last one to end decides the remaining time', () => {
  const uploads = [{ state: 'running', file: { size: 100 } as File, sent: 50, rate: 10 }] as const;
  const transfer = { state: 'running', bytesDone: 50, bytesTotal: 300, itemsDone: 1, itemsTotal: 4, secondsLeft: 20 } as const;
  assert.deepEqual(totalsOf(uploads, [transfer]), { open: 2, share: 0.25, secondsLeft: 20 });
  assert.equal(totalsOf(uploads, [{ ...transfer, secondsLeft: undefined }]).secondsLeft, undefined);
  assert.deepEqual(totalsOf([], [{ ...transfer, state: 'paused' }]), { open: 0, share: 0, secondsLeft: undefined });
});
