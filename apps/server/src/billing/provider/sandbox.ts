import { products, readSandboxToken, sandboxCoupons } from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import { BillingRefused, type BillingProvider, type ProviderSubscription } from './provider.ts';
import { type Ledger, bookkeeping, day, shownCard } from './sandbox-ledger.ts';
import type { SandboxStore } from './sandbox-store.ts';

interface Deps {
  readonly store: SandboxStore;
  readonly newId: () => string;
  readonly now: Clock;
}

export interface Sandbox extends BillingProvider {
  /** Moves its clock forward and returns the new time. Steps that become due are processed at the next request. */
  moveClock(days: number): Promise<number>;
}

/** A billing provider that moves no money: test cards, and a clock that can be moved. Otherwise it behaves like a real one. */
export function createSandbox({ store, newId, now }: Deps): Sandbox {
  const time = async (): Promise<number> => now() + (await store.ahead());

  /** Processes what is due first and stores it, so that a refused change does not undo it. */
  async function change(accountId: string, apply: (keep: ReturnType<typeof bookkeeping>, ledger: Ledger) => Ledger): Promise<Ledger> {
    const keep = bookkeeping(accountId, await time());
    await store.change(accountId, keep.settled);
    return store.change(accountId, (ledger) => apply(keep, ledger));
  }

  async function changeOne(accountId: string, id: string, apply: Parameters<typeof change>[1]): Promise<ProviderSubscription> {
    const ledger = await change(accountId, apply);
    return bookkeeping(accountId, 0).subscription(ledger, id);
  }

  function cardOf(token: string) {
    const card = readSandboxToken(token);
    if (!card) throw new BillingRefused('invalid', 'this is no token of the sandbox');
    return card;
  }

  return {
    mode: 'sandbox',
    tokenizer: { mode: 'sandbox' },
    time,

    async moveClock(days) {
      await store.moveOn(days * day);
      return time();
    },

    async purchase({ accountId, token, key, plan, coupon, ...wish }) {
      const id = newId();
      const refundDays = Object.values(products).find((product) => product.plan === plan)?.refundDays ?? 0;
      const ledger = await change(accountId, (keep, before) => {
        if (before.done[key] !== undefined) return before;
        const paying = token === undefined ? before : keep.withCard(before, cardOf(token), token);
        return keep.sold(paying, { ...wish, id, key, plan, refundDays, ...(coupon && { coupon: coupon.toUpperCase() }) });
      });
      return bookkeeping(accountId, 0).subscription(ledger, ledger.done[key] ?? id);
    },

    async subscriptions(accountId) {
      const known = await store.read(accountId);
      if (known.subscriptions.length === 0) return [];
      return [...(await change(accountId, (_, ledger) => ledger)).subscriptions];
    },

    changeUnits: (accountId, id, units) => changeOne(accountId, id, (keep, ledger) => keep.resized(ledger, id, units)),
    setAutoRenew: (accountId, id, autoRenew) => changeOne(accountId, id, (keep, ledger) => keep.renewing(ledger, id, autoRenew)),
    refund: (accountId, id) => changeOne(accountId, id, (keep, ledger) => keep.refunded(ledger, id)),

    async end(accountId, id) {
      await change(accountId, (keep, ledger) => keep.stopped(ledger, id));
    },

    async setCard({ accountId }, token) {
      await change(accountId, (keep, ledger) => keep.paidBy(ledger, cardOf(token), token));
    },

    async card(accountId) {
      const { card } = await store.read(accountId);
      return card && shownCard(card);
    },

    async invoices(accountId) {
      const { invoices } = await store.read(accountId);
      return invoices.map(({ subscriptionId: _subscription, ...invoice }) => invoice).toReversed();
    },

    async discountOf(code, amount) {
      const percent = Object.hasOwn(sandboxCoupons, code.toUpperCase()) ? sandboxCoupons[code.toUpperCase()] : undefined;
      return percent === undefined ? undefined : amount - Math.round((amount * (100 - percent)) / 100);
    },
  };
}
