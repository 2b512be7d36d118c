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
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '#/lib/send.ts';
import { orgsChanged } from './queries.ts';

/** What the organisation has bought, and how it could pay. */
export const orgSubscription = (orgOid: string) =>
  queryOptions({ queryKey: ['orgs', 'subscription', orgOid], queryFn: ({ signal }) => send(getOrgSubscription, { orgOid }, signal) });

export const orgBilling = (orgOid: string) =>
  queryOptions({ queryKey: ['orgs', 'billing', orgOid], queryFn: ({ signal }) => send(getOrgBilling, { orgOid }, signal) });

function usePaying<Input>(change: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => orgsChanged(queries) });
}

interface Purchase {
  readonly units: number;
  readonly token?: string;
  readonly coupon?: string;
}

export const usePurchase = (orgOid: string) =>
  usePaying(({ units, token, coupon }: Purchase) =>
    send(purchaseOrg, {
      orgOid,
      recurlyPlan: products.org.plan,
      units,
      ...(token !== undefined && { recurlyBillingToken: token }),
      ...(coupon !== undefined && { coupon }),
    }),
  );
export const useChangeUnits = (orgOid: string) => usePaying((units: number) => send(purchaseOrgUnits, { orgOid, units }));
export const useRefund = (orgOid: string) => usePaying(() => send(refundOrg, { orgOid }));
export const useAutoRenew = (orgOid: string) => usePaying((autoRenew: boolean) => send(setOrgAutoRenew, { orgOid, autoRenew }));
export const useUpdateCard = (orgOid: string) =>
  usePaying((recurlyBillingToken: string) => send(updateOrgBilling, { orgOid, recurlyBillingToken }));
