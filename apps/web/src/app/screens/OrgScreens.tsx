import { BillingPage } from '#/features/orgs/billing/BillingPage.tsx';
import { SubscriptionPage } from '#/features/orgs/billing/SubscriptionPage.tsx';
import { PaymentDialog } from '#/features/purchase/payment/PaymentDialog.tsx';

/** An organisation's subscription, with the payment dialog. */
export function OrgSubscriptionScreen() {
  return <SubscriptionPage Pay={PaymentDialog} />;
}

/** An organisation's invoices, with the card dialog. */
export function OrgBillingScreen() {
  return <BillingPage Pay={PaymentDialog} />;
}
