import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lasting, stateName, stopped } from './subscription-words.ts';

test('turning auto-renew off keeps what is paid for; where the renewal could not be paid, Premium has ended', () => {
  const day = (): string => '7 January 2028';
  assert.equal(
    stopped({ state: 'active', endsAt: 0 }, day),
    'Premium ends on 7 January 2028. Until then you may turn auto-renew on again.',
  );
  assert.equal(stopped({ state: 'pastDue', endsAt: 0 }, day), 'Premium has ended.');
});

test('a subscription that was given back is called refunded', () => {
  const refunded = { state: 'expired', autoRenew: false, endsAt: 1, refundedAt: 2 } as const;
  assert.equal(stateName(refunded), 'Refunded');
  assert.equal(
    lasting(refunded, (at) => `day ${at}`),
    'Refunded on day 2.',
  );
  assert.equal(stateName({ state: 'expired' }), 'Expired');
});
