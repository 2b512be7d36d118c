import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecurlyElements, createRecurlyTokenizer } from './recurly.ts';

const card = { number: '', month: '', year: '', first_name: 'Mara', last_name: 'Halm', cvv: '' };

/** The part of Recurly.js needed for a token, with this answer. */
function recurlyThat(answer: (done: (error: { code?: string } | null, token?: { id: string }) => void) => void) {
  const asked: object[] = [];
  const noElement = () => assert.fail('no field is asked for');
  const emitter = { on: () => undefined, off: () => undefined };
  const elements: RecurlyElements = {
    ...emitter,
    CardNumberElement: noElement,
    CardMonthElement: noElement,
    CardYearElement: noElement,
    CardCvvElement: noElement,
  };
  const recurly = {
    configure: (options: object) => void asked.push(options),
    Elements: () => elements,
    token(_elements: RecurlyElements, customer: object, done: Parameters<typeof answer>[0]) {
      asked.push(customer);
      answer(done);
    },
  };
  return { tokenizer: createRecurlyTokenizer(recurly, 'ewr1-key', {}), asked };
}

test("Recurly's token is passed on, and requested with the holder's names only [PUR-20]", async () => {
  const { tokenizer, asked } = recurlyThat((done) => done(null, { id: 'token-1' }));
  assert.equal(await tokenizer.tokenize({ ...card, number: 'never sent' }), 'token-1');
  assert.deepEqual(asked[1], { first_name: 'Mara', last_name: 'Halm' });
  assert.match(JSON.stringify(asked[0]), /"publicKey":"ewr1-key"/);
});

test('a timeout reported by Recurly is shown as one, everything else as a card error [PUR-21] [PUR-22]', async () => {
  const late = recurlyThat((done) => done({ code: 'api-timeout' }));
  await assert.rejects(late.tokenizer.tokenize(card), { fault: 'timeout' });
  const refused = recurlyThat((done) => done({ code: 'validation' }));
  await assert.rejects(refused.tokenizer.tokenize(card), { fault: 'card' });
  const thrown = recurlyThat(() => {
    throw new Error('not-configured');
  });
  await assert.rejects(thrown.tokenizer.tokenize(card), { fault: 'card' });
});
