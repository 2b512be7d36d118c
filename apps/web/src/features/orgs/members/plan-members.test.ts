import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersOfPlan } from './plan-members.ts';

test('the number of members that a plan carries is read as an integer [ORG-11]', () => {
  assert.equal(membersOfPlan('25'), 25);
  assert.equal(membersOfPlan(' 7 members'), 7);
  assert.equal(membersOfPlan('12.9'), 12);
});

test('a number that is missing or cannot be read is 0 [ORG-12]', () => {
  for (const told of [undefined, '', 'many', 'NaN']) assert.equal(membersOfPlan(told), 0);
});
