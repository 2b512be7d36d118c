import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeTerms, costOf, purchaseTerms, unitsOf } from './cost.ts';

test('a plan costs its price for each member', () => {
  assert.equal(costOf(5), '$600');
  assert.match(purchaseTerms(5), /^You will be charged \$600 for the first year\. Cancel within 30 days for a full refund\./);
});

test('a plan has at least two members, at least the present ones, and whole numbers', () => {
  assert.equal(unitsOf('5', 2), 5);
  assert.equal(unitsOf(' 12 ', 2), 12);
  for (const typed of ['', '1', '4', '1001', '5.5', '-6', 'many']) assert.equal(unitsOf(typed, 5), undefined, typed);
});

test('more members are charged for the rest of the term, fewer are not refunded', () => {
  const running = { units: 5, endsAt: Date.UTC(2027, 5, 15) / 1000, autoRenew: true };
  assert.match(
    changeTerms(running, 6),
    /^1 more costs \$120 a year; the part for the time until .*2027 is charged now\. From the renewal on, 6 members cost \$720/,
  );
  assert.match(changeTerms({ ...running, autoRenew: false }, 3), /^Nothing is given back for the time until .*2027\.$/);
});
