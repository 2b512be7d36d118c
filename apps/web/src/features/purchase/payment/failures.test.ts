import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appError } from '@sheaf/contract';
import { CardError } from '#/features/purchase/tokenizer/tokenizer.ts';
import { errorOfAnswer, faultError } from '#/lib/http/call-error.ts';
import { failureOf } from './failures.ts';

test('invalid or outdated billing information leads to the billing form [PUR-31] [PUR-32] [PUR-33]', () => {
  const invalid = failureOf(errorOfAnswer(appError('BILLING_INVALID', {}).toAnswer()));
  assert.equal(invalid.leadsTo, 'form');
  assert.ok(invalid.text.endsWith('Click CONTINUE to update your billing information.'));
  const outdated = failureOf(errorOfAnswer(appError('BILLING_OUTDATED', {}).toAnswer()));
  assert.equal(outdated.leadsTo, 'form');
  assert.ok(outdated.text.endsWith('Click CONTINUE to update it.'));
});

test('an expired subscription is reported as such, in a purchase and when it was to renew again [PUR-34] [PUR-35]', () => {
  assert.deepEqual(failureOf(errorOfAnswer(appError('SUBSCRIPTION_EXPIRED', {}).toAnswer())), {
    text: 'Your subscription has expired.',
    leadsTo: 'again',
  });
  assert.match(failureOf(errorOfAnswer(appError('EXPIRED_CANNOT_RENEW', {}).toAnswer())).text, /expired subscription cannot be renewed/);
});

test('any other purchase code is a declined card; the general payment error keeps its own words [PUR-36]', () => {
  for (const errorCode of [613, 616, 649]) {
    const { text } = failureOf(errorOfAnswer({ errorCode, messageCode: '', message: 'whatever was said' }));
    assert.equal(text, 'Your card was declined. Please use a different card.');
  }
  assert.equal(
    failureOf(errorOfAnswer(appError('PAYMENT_FAILED', {}).toAnswer())).text,
    'The payment could not be processed. Please try again later.',
  );
});

test('an invalid promo code is not blamed on the card; other errors keep their words', () => {
  assert.deepEqual(failureOf(errorOfAnswer(appError('INVALID_COUPON', {}).toAnswer())), {
    text: 'This promo code is not valid.',
    isCoupon: true,
  });
  assert.equal(failureOf(faultError('noResponse')).text, 'Cannot connect to server. Please check your network connection and try again.');
  assert.equal(failureOf(new CardError('timeout')).text, 'The card service did not answer in time. Please try again.');
});
