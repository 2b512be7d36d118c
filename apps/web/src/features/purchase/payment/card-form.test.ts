import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CardValues, isComplete, tokenInput } from './card-form.ts';

const card: CardValues = {
  firstName: 'Mara',
  lastName: 'Halm',
  creditCard: '4111 1111 1111 1111',
  expireMonth: '9',
  expireYear: '2031',
  cvv: '123',
  coupon: '',
};

test('a card is complete when its six fields are filled, with or without a promo code [PUR-17] [PUR-18] [PUR-24]', () => {
  assert.equal(isComplete(card), true);
  assert.equal(isComplete({ ...card, coupon: 'SHEAF20' }), true);
  for (const field of ['firstName', 'lastName', 'creditCard', 'expireMonth', 'expireYear', 'cvv'] as const) {
    assert.equal(isComplete({ ...card, [field]: '' }), false, field);
    assert.equal(isComplete({ ...card, [field]: '  ' }), false, field);
  }
});

test('the tokenising call takes number, month, year, first_name, last_name and cvv [PUR-20]', () => {
  assert.deepEqual(tokenInput(card), {
    number: '4111 1111 1111 1111',
    month: '9',
    year: '2031',
    first_name: 'Mara',
    last_name: 'Halm',
    cvv: '123',
  });
});
