import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConnectionLimits } from './connection-limits.ts';

test('connections without a sign-in take no places of others, and the oldest of them are ended first', () => {
  const limits = createConnectionLimits({ waiting: 4, signedIn: 3, ofAccount: 2 });
  const ended: string[] = [];
  const come = (name: string, address: string) => limits.admit(address, () => ended.push(name));
  // The addresses of one IPv6 network count together.
  for (let at = 1; at <= 3; at++) come(`stranger ${at}`, `2001:db8::${at}`);
  const mara = come('mara', '192.0.2.7');
  assert.deepEqual(ended, []);
  const ben = come('ben', '192.0.2.8');
  assert.deepEqual(ended, ['stranger 1']);
  assert.ok(mara.signIn('mara') && ben.signIn('ben'));
  for (let at = 4; at <= 10; at++) come(`stranger ${at}`, `2001:db8::${at}`);
  assert.deepEqual(ended, ['stranger 1', ...[2, 3, 4, 5, 6].map((at) => `stranger ${at}`)]);
});

test('an account has its own limit, and places of closed connections are free again', () => {
  const limits = createConnectionLimits({ waiting: 4, signedIn: 3, ofAccount: 2 });
  const come = () => limits.admit('192.0.2.7', () => assert.fail('there is room'));
  const [first, second, third, other] = [come(), come(), come(), come()];
  assert.deepEqual([first.signIn('mara'), second.signIn('mara'), third.signIn('mara'), other.signIn('ben')], [true, true, false, true]);
  third.leave();
  assert.equal(come().signIn('cleo'), false, 'all places are taken but those of strangers');
  first.leave();
  first.leave();
  assert.equal(come().signIn('mara'), true);
});
