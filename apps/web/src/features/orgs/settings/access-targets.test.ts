import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessTargets } from './access-targets.ts';

test('the page returns to itself and leads on to the billing [ORG-06] [ORG-07]', () => {
  assert.deepEqual(accessTargets({}), { trialDays: undefined, returnPath: '/org-access', successPath: '/account/billing' });
});

test('a trial leads to the organisations page [ORG-08]', () => {
  assert.deepEqual(accessTargets({ trialDays: '7' }), {
    trialDays: 7,
    returnPath: '/org-access',
    successPath: '/account/mysheaf?catid=org',
  });
  assert.equal(accessTargets({ trialDays: 'soon' }).trialDays, undefined);
});

test('other targets may be given, as long as they are on this site', () => {
  const given = accessTargets({ returnUrl: '/links', successUrl: 'https://elsewhere.example' });
  assert.deepEqual([given.returnPath, given.successPath], ['/links', '/account/billing']);
});
