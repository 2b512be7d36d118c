import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noticeText } from './upgrade-text.ts';

test('with one day left, or none, the notice says that the trial expires today [NAV-14]', () => {
  assert.equal(noticeText(1), 'Premium trial expires today');
  assert.equal(noticeText(0), 'Premium trial expires today');
});

test('with more days left the notice names them [NAV-15]', () => {
  assert.equal(noticeText(2), 'Premium trial expires in 2 days');
  assert.equal(noticeText(7), 'Premium trial expires in 7 days');
});

test('without days the notice offers Premium [NAV-16]', () => {
  assert.equal(noticeText(undefined), 'Upgrade to Premium');
  assert.equal(noticeText(-3), 'Upgrade to Premium');
});
