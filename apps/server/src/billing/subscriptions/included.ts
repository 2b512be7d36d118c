import { appError, products } from '@sheaf/contract';
import type { Subscriptions } from './service.ts';

const hidden = async (): Promise<never> => {
  throw appError('NOT_FOUND', {});
};

/** Replaces subscriptions where billing is off: everybody has every feature, and there is no shop. */
export const included: Subscriptions = {
  find: async () => undefined,
  list: async () => [],
  hasPremium: async () => true,
  hasOrgPlan: async () => true,
  unitsOf: async () => products.org.units.max,
  upgradeOf: async () => ({ upgradeState: '' }),
  mayTry: async () => false,
  startTrial: hidden,
  purchase: hidden,
  changeUnits: hidden,
  setAutoRenew: hidden,
  refund: hidden,
  updateCard: hidden,
  keepCoupon: hidden,
  quote: hidden,
  billing: async () => ({ invoices: [] }),
  invoices: async () => [],
  receipt: hidden,
  purchaseAccountOf: async () => undefined,
  tokenizer: () => ({ mode: 'off' }),
  time: async () => Math.floor(Date.now() / 1000),
  cancelAll: async () => undefined,
  settle: async () => [],
  settleAccount: async () => undefined,
  settleSubscription: async () => undefined,
};
