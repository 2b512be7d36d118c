import {
  getOrgBilling,
  getOrgSubscription,
  products,
  purchaseOrg,
  purchaseOrgUnits,
  refundOrg,
  setOrgAutoRenew,
  updateOrgBilling,
} from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import { useOrgChange } from '#/features/orgs/queries.ts';
import { send } from '#/lib/http/send.ts';

/** The organisation's subscription and payment. */
export const orgSubscription = (orgOid: string) =>
  queryOptions({ queryKey: ['orgs', 'subscription', orgOid], queryFn: ({ signal }) => send(getOrgSubscription, { orgOid }, signal) });

export const orgBilling = (orgOid: string) =>
  queryOptions({ queryKey: ['orgs', 'billing', orgOid], queryFn: ({ signal }) => send(getOrgBilling, { orgOid }, signal) });

interface Purchase {
  readonly units: number;
  readonly token?: string;
  readonly coupon?: string;
}

export const usePurchase = (orgOid: string) =>
  useOrgChange(({ units, token, coupon }: Purchase) =>
    send(purchaseOrg, {
      orgOid,
      recurlyPlan: products.org.plan,
      units,
      ...(token !== undefined && { recurlyBillingToken: token }),
      ...(coupon !== undefined && { coupon }),
    }),
  );
export const useChangeUnits = (orgOid: string, done: (units: number) => void) =>
  useOrgChange((units: number) => send(purchaseOrgUnits, { orgOid, units }), done);
export const useRefund = (orgOid: string) => useOrgChange(() => send(refundOrg, { orgOid }));
export const useAutoRenew = (orgOid: string) => useOrgChange((autoRenew: boolean) => send(setOrgAutoRenew, { orgOid, autoRenew }));
export const useUpdateCard = (orgOid: string) =>
  useOrgChange((recurlyBillingToken: string) => send(updateOrgBilling, { orgOid, recurlyBillingToken }));
