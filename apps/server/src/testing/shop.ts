import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  type Call,
  type InputOf,
  type SandboxOutcome,
  getBilling,
  listAudit,
  listSubscriptions,
  moveSandboxClock,
  products,
  purchasePremium,
  sandboxCards,
  tokenizeSandboxCard,
} from '@sheaf/contract';
import { newId } from '#/platform/ids.ts';
import { type User, testApp } from './app.ts';

const { plan } = products.premium;
/** When tests of purchases begin, in epoch seconds: the 10th of January 2027. */
export const start = Date.UTC(2027, 0, 10, 12) / 1000;

/** The token that the browser gets for the test card of that outcome. */
export function tokenOf(outcome: SandboxOutcome, expires = '2040'): string {
  const number = sandboxCards.find((card) => card.outcome === outcome)?.number ?? '';
  const made = tokenizeSandboxCard({ number, month: '12', year: expires, first_name: 'Mara', last_name: 'Lind', cvv: '123' }, newId());
  assert.ok('token' in made);
  return made.token;
}

/** What somebody has bought: the subscription, and each bill's amount and state. */
export const purchasesOf = (user: User) => ({
  async premium() {
    const [subscription] = (await user.ask(listSubscriptions, {})).subscriptions;
    assert.ok(subscription);
    return subscription;
  },
  bills: async () => (await user.ask(getBilling, {})).invoices.map(({ amount, state }) => [amount, state]),
});

/** Somebody who buys, on an installation that bills by the sandbox, with its clock at {@link start}. */
export async function shopper(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const app = await testApp(t, { now: () => start, settings });
  const user = await app.signUp();
  const buy = (more: { recurlyBillingToken?: string; coupon?: string } = {}) =>
    user.ask(purchasePremium, { recurlyPlan: plan, trialState: true, track: '', recurlyBillingToken: tokenOf('success'), ...more });
  const { premium, bills } = purchasesOf(user);
  return {
    ...app,
    user,
    buy,
    premium,
    bills,
    state: async () => (await premium()).state,
    days: (days: number) => user.ask(moveSandboxClock, { days }),
    actions: async () =>
      (await user.ask(listAudit, { limit: 50 })).entries.map(({ action }) => action).filter((one) => one.startsWith('billing')),
  };
}

/** The errorCode of a refusal. */
export const codeOf = async <C extends Call>(user: User, call: C, input: Partial<InputOf<C>>) =>
  (await user.refusal(call, input)).errorCode;
