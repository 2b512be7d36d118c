import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { checkedWords } from './checked.ts';

test('the time of the last check is shown in a fitting unit', () => {
  const ago = (seconds: number) => checkedWords(1_000_000 - seconds, 1_000_000);
  assert.equal(ago(59), 'Checked just now');
  assert.equal(ago(60), 'Checked 1 min ago');
  assert.equal(ago(3599), 'Checked 59 min ago');
  assert.equal(ago(2 * 3600), 'Checked 2 h ago');
  assert.equal(ago(24 * 3600), 'Checked yesterday');
  assert.equal(ago(5 * 24 * 3600), 'Checked 5 days ago');
  assert.equal(ago(-30), 'Checked just now');
  assert.equal(checkedWords(undefined, 1), 'Not checked yet');
});
