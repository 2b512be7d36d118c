import { Button } from '@mantine/core';
import { type Billing, type ReplyOf, type getShop, safePath } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { Included } from '#/features/purchase/Included.tsx';
import { premiumInputs } from '#/features/purchase/payment/purchase-inputs.ts';
import { billingQuery, shopQuery } from '#/features/purchase/queries.ts';
import { ApplyPromoDialog } from '#/features/purchase/upgrade/ApplyPromoDialog.tsx';
import { PurchaseDialog } from '#/features/purchase/upgrade/PurchaseDialog.tsx';
import { errorText } from '#/lib/http/error-text.ts';
import { useHash, useQueryParams } from '#/lib/navigation/location.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { Section } from '#/ui/Section.tsx';
import { BillList } from './BillList.tsx';
import classes from '../purchase.module.css';

const here = '/account/billing';

/** The card, the stored promo code, and the invoices. The hash opens one of its dialogs; after a change it goes to the query's `returnUrl`. */
export function BillingPage() {
  const shop = useQuery(shopQuery);
  const billing = useQuery(billingQuery);
  if (shop.data?.tokenizer.mode === 'off') return <Included />;
  const error = shop.error ?? billing.error;
  return (
    <Page>
      <PageHead title="Billing" line="How you pay, and what you have paid." />
      {error && !(shop.data && billing.data) && (
        <ErrorState
          title="Your billing cannot be shown"
          message={errorText(error)}
          onRetry={() => void Promise.all([shop.refetch(), billing.refetch()])}
        />
      )}
      {!error && !(shop.data && billing.data) && <SkeletonRows count={3} height={72} />}
      {shop.data && billing.data && (
        <>
          <Sections billing={billing.data} />
          <Screen shop={shop.data} coupon={billing.data.coupon} />
        </>
      )}
    </Page>
  );
}

function Sections({ billing: { card, coupon, invoices } }: { billing: Billing }) {
  return (
    <>
      <Section title="Card" text="It pays what you buy and what renews.">
        {card ? (
          <p className={`${classes.card} ${classes.fact}`}>
            <b>
              {card.brand} ending in {card.lastFour}
            </b>
            <span>
              {card.holder}, valid until {String(card.expireMonth).padStart(2, '0')}/{card.expireYear}
            </span>
          </p>
        ) : (
          <p className={classes.fact}>There is no card yet.</p>
        )}
        <Button component={PathLink} href={`${here}#changeBillingScreen`}>
          Change billing
        </Button>
      </Section>
      <Section title="Promo code" text="It is taken off your next purchase.">
        {coupon !== undefined && (
          <p className={classes.fact}>
            <b>{coupon}</b> waits for your next purchase.
          </p>
        )}
        <Button component={PathLink} href={`${here}#applyPromoScreen`}>
          Apply promo code
        </Button>
      </Section>
      <Section title="Bills" text="What was charged and given back, the newest first.">
        <BillList invoices={invoices} />
      </Section>
    </>
  );
}

/** The dialog in the hash. */
function Screen({ shop, coupon }: { shop: ReplyOf<typeof getShop>; coupon: string | undefined }) {
  const hash = useHash();
  const { returnUrl } = useQueryParams();
  const go = useGo();
  const close = (): void => go(here, { replace: true });
  const leave = (): void => go(safePath(returnUrl, here), { replace: true });
  if (hash === 'applyPromoScreen') return <ApplyPromoDialog coupon={coupon} onClose={close} />;
  if (hash !== 'changeBillingScreen') return null;
  return <PurchaseDialog inputs={premiumInputs('updateBilling')} shop={shop} onDone={leave} onClose={leave} />;
}
