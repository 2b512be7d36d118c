import { BillingPage } from '#/features/orgs/billing/BillingPage.tsx';
import { SubscriptionPage } from '#/features/orgs/billing/SubscriptionPage.tsx';
import { PaymentDialog } from '#/features/purchase/payment/PaymentDialog.tsx';

/** What an organisation has bought, with the dialog that takes payments. */
export function OrgSubscriptionScreen() {
  return <SubscriptionPage Pay={PaymentDialog} />;
}

/** The bills of an organisation, with the dialog that takes cards. */
export function OrgBillingScreen() {
  return <BillingPage Pay={PaymentDialog} />;
}
