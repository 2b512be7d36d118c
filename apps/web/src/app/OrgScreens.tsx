import { BillingPage } from '#/features/orgs/BillingPage.tsx';
import { SubscriptionPage } from '#/features/orgs/SubscriptionPage.tsx';
import { PaymentDialog } from '#/features/purchase/PaymentDialog.tsx';

/** What an organisation has bought, with the dialog that takes payments. */
export function OrgSubscriptionScreen() {
  return <SubscriptionPage Pay={PaymentDialog} />;
}

/** The bills of an organisation, with the dialog that takes cards. */
export function OrgBillingScreen() {
  return <BillingPage Pay={PaymentDialog} />;
}
