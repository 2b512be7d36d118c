import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CardForm, type SandboxOutcome, readSandboxToken, sandboxCards, tokenizeSandboxCard } from './sandbox-cards.ts';

const form: CardForm = {
  number: '4111 1111 1111 1111',
  month: '7',
  year: '2031',
  first_name: 'Zoë',
  last_name: 'van Dyck-Ørsted',
  cvv: '123',
};
const random = '0123456789abcdef';
const tokenOf = (change: Partial<CardForm>): string | undefined => {
  const made = tokenizeSandboxCard({ ...form, ...change }, random);
  return 'token' in made ? made.token : undefined;
};
const failureOf = (change: Partial<CardForm>): string | undefined => {
  const made = tokenizeSandboxCard({ ...form, ...change }, random);
  return 'failure' in made ? made.failure : undefined;
};

test('the token of a test card contains its outcome, last four digits, month, year and holder, and never the number [PUR-19] [PUR-20]', () => {
  const outcomes: SandboxOutcome[] = [];
  for (const { number, outcome } of sandboxCards) {
    const token = tokenOf({ number });
    if (outcome === 'timeout') continue;
    assert.ok(token !== undefined && !token.includes(number.replaceAll(' ', '')) && !token.includes('123-'), token ?? number);
    const read = readSandboxToken(token);
    assert.deepEqual(read, { outcome, lastFour: number.slice(-4), month: 7, year: 2031, holder: 'Zoë van Dyck-Ørsted' });
    outcomes.push(read.outcome);
  }
  assert.deepEqual(outcomes, ['success', 'declined', 'expired', 'needsUpdate', 'renewalDeclined']);
});

test('digits may be grouped with spaces or dashes, or not at all', () => {
  for (const number of ['4111111111111111', '4111-1111-1111-1111', ' 4111 1111 1111 1111 ']) assert.ok(tokenOf({ number }), number);
});

test('one card gets no answer in time [PUR-22]', () => {
  assert.equal(failureOf({ number: '4000 0000 0000 0119' }), 'timeout');
});

test('all other cards, including real ones, and incomplete forms are refused as a card error [PUR-21]', () => {
  const wrong: Partial<CardForm>[] = [
    { number: '4242424242424242' },
    { number: '' },
    { number: '4111' },
    { month: '13' },
    { month: '0' },
    { month: 'x' },
    { year: '31' },
    { year: '' },
    { cvv: '12' },
    { cvv: 'abc' },
    { first_name: ' ', last_name: '' },
  ];
  for (const change of wrong) assert.equal(failureOf(change), 'card', JSON.stringify(change));
});

test('text that is not a token is refused', () => {
  const good = tokenOf({}) ?? '';
  assert.ok(readSandboxToken(good));
  for (const text of [
    '',
    '4111111111111111',
    'sandbox-',
    good.replace('success', 'constructor'),
    good.replace('-7-', '-0-'),
    `${good}%`,
    `${good}%ff`,
    `${good}\n`,
    good.replace(random, ''),
  ])
    assert.equal(readSandboxToken(text), undefined, text);
});
