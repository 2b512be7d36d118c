import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Org } from '@sheaf/contract';
import { orgLine, renewalWords, whoMay } from './words.ts';

const org: Org = {
  orgOid: 'o',
  orgMembershipOid: 'm',
  name: 'Halm',
  role: 'owner',
  planName: 'Organisation',
  planMembers: 5,
  members: 2,
  state: 'active',
};

test('an organisation’s line shows role, plan and the end of a trial', () => {
  assert.equal(orgLine(org), 'Owner · Organisation, 2 of 5 members');
  assert.equal(orgLine({ ...org, state: 'trial', expirationDays: 4 }), 'Owner · Organisation, 2 of 5 members · trial expires in 4 days');
  assert.equal(orgLine({ ...org, state: 'trial', expirationDays: 1 }), 'Owner · Organisation, 2 of 5 members · trial expires today');
  assert.equal(
    orgLine({ ...org, role: 'member', planName: '', planMembers: 0, state: 'expired' }),
    'Member · The plan has ended. 2 members',
  );
});

test('permissions follow the table of roles', () => {
  assert.equal(whoMay('members'), 'The owner and the admins');
  assert.equal(whoMay('billing'), 'Only the owner');
});

test('a plan whose renewal failed does not promise a date in the past', () => {
  const date = (): string => '7 Jan 2028';
  assert.equal(renewalWords({ state: 'active', autoRenew: true, endsAt: 0 }, date).line, 'The plan renews on 7 Jan 2028.');
  assert.equal(renewalWords({ state: 'active', autoRenew: false, endsAt: 0 }, date).line, 'The plan ends on 7 Jan 2028.');
  assert.deepEqual(renewalWords({ state: 'pastDue', autoRenew: true, endsAt: 0 }, date), {
    line: 'The renewal of 7 Jan 2028 could not be paid yet.',
    off: 'The plan then ends at once',
    stopped: 'The plan has ended.',
  });
});
