import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSandboxToken } from '@sheaf/contract';
import { createSandboxTokenizer } from './sandbox.ts';

const card = { number: '4111 1111 1111 1111', month: '9', year: '31', first_name: 'Mara', last_name: 'Halm', cvv: '123' };
const waits: number[] = [];
const { tokenize } = createSandboxTokenizer((ms) => {
  waits.push(ms);
  return Promise.resolve();
});

test('a test card becomes a token that states its outcome and holds neither number nor CVV [PUR-20] [PUR-23]', async () => {
  const token = await tokenize({ ...card, cvv: '737' });
  assert.deepEqual(readSandboxToken(token), { outcome: 'success', lastFour: '1111', month: 9, year: 2031, holder: 'Mara Halm' });
  assert.ok(!token.includes('4111'));
  assert.notEqual(await tokenize(card), await tokenize(card));
});

test('a card is validated by making a token of it: an unknown number is a card error [PUR-19] [PUR-21]', async () => {
  for (const wrong of [{ number: '1234' }, { month: '13' }, { cvv: 'x' }, { first_name: ' ', last_name: ' ' }]) {
    await assert.rejects(tokenize({ ...card, ...wrong }), {
      name: 'CardError',
      message: 'The card details are not valid. Please check them and try again.',
    });
  }
  assert.deepEqual(waits, []);
});

test('a card without an answer is waited for, then reported as a timeout [PUR-22]', async () => {
  await assert.rejects(tokenize({ ...card, number: '4000000000000119' }), {
    message: 'The card service did not answer in time. Please try again.',
  });
  assert.equal(waits.length, 1);
});
