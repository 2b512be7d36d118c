import {
  type InputOf,
  applyPromo,
  cancelPremium,
  cookies,
  getBilling,
  getShop,
  limits,
  listSubscriptions,
  moveSandboxClock,
  premiumTrial,
  refundPremium,
} from '@sheaf/contract';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { readCookie } from '#/lib/http/cookie.ts';
import { send } from '#/lib/http/send.ts';
import { refreshSession } from '#/lib/session/session.ts';
import type { PurchaseInputs } from './payment/purchase-inputs.ts';
import { type Payment, submitPurchase } from './payment/submission.ts';

/** Data of the dialogs: how cards become tokens, and what the account may buy. */
export const shopQuery = queryOptions({ queryKey: ['purchase', 'shop'], queryFn: ({ signal }) => send(getShop, {}, signal) });
export const billingQuery = queryOptions({ queryKey: ['purchase', 'billing'], queryFn: ({ signal }) => send(getBilling, {}, signal) });
export const subscriptionsQuery = queryOptions({
  queryKey: ['purchase', 'subscriptions'],
  queryFn: ({ signal }) => send(listSubscriptions, {}, signal),
});

/** After anything that moves money or time, reloads the shop's pages and the notice in the bar. */
async function changed(queries: QueryClient): Promise<void> {
  await Promise.all([queries.invalidateQueries({ queryKey: ['purchase'] }), refreshSession()]);
}

/** The campaign that brought the user; empty without one. */
const track = (): string => readCookie(cookies.track) ?? '';

export function useStartTrial() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(premiumTrial, { trialDays: limits.trialDays, track: track() }),
    onSuccess: () => changed(queries),
  });
}

/** Makes the purchase; keeps the resulting purchasing account, so that no form is needed again. */
export function usePurchase(inputs: PurchaseInputs) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (payment: Omit<Payment, 'track'>) => submitPurchase(inputs, { ...payment, track: track() }),
    onSuccess: ({ purchaseAccountId }) => {
      if (purchaseAccountId !== undefined) queries.setQueryData(shopQuery.queryKey, (shop) => shop && { ...shop, purchaseAccountId });
      return changed(queries);
    },
    // The server drops a refused promo code, which must not be offered again.
    onError: () => queries.invalidateQueries({ queryKey: billingQuery.queryKey }),
  });
}

/** Ends a subscription with its term. */
export function useCancelRenewal() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (subOid: string) => send(cancelPremium, { subOid }),
    onSettled: () => changed(queries),
  });
}

export function useRefund() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (subOid: string) => send(refundPremium, { subOid }),
    onSuccess: () => changed(queries),
  });
}

export function useApplyPromo() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (coupon: string) => send(applyPromo, { coupon }),
    onSuccess: () => changed(queries),
  });
}

export function useMoveClock() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (days: InputOf<typeof moveSandboxClock>['days']) => send(moveSandboxClock, { days }),
    onSuccess: () => changed(queries),
  });
}
