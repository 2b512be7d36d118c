import { Button } from '@mantine/core';
import { type PurchaseState, type ReplyOf, type getShop, products } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { PaymentDialog } from '#/features/purchase/payment/PaymentDialog.tsx';
import { type PurchaseInputs, replaceNotice, termsOf } from '#/features/purchase/payment/purchase-inputs.ts';
import { billingQuery, usePurchase } from '#/features/purchase/queries.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from '../purchase.module.css';

const words = {
  purchase: { title: 'Purchase Premium', submit: 'Purchase', thanks: 'Premium is yours. The receipt is on its way to you by mail.' },
  repurchase: {
    title: 'Purchase Premium again',
    submit: 'Purchase',
    thanks: 'Premium is yours again. The receipt is on its way to you by mail.',
  },
  reactiveautorenew: { title: 'Reactivate auto-renew', submit: 'Reactivate', thanks: 'Premium will renew by itself again.' },
  updateBilling: { title: 'Change billing', submit: 'Save', thanks: 'Your billing information was updated.' },
} as const satisfies Record<PurchaseState, object>;

type Props = {
  inputs: PurchaseInputs;
  shop: ReplyOf<typeof getShop>;
  /** Return address after changing the stored card; by default the current page. */
  billingReturn?: string;
  asPage?: boolean;
  onDone: () => void;
  onClose: () => void;
};

/** Buys Premium, buys it again, resumes its renewal, or changes the card. */
export function PurchaseDialog({ inputs, shop, billingReturn, asPage = false, onDone, onClose }: Props) {
  const { purchaseState } = inputs;
  const { title, submit, thanks } = words[purchaseState];
  const purchase = usePurchase(inputs);
  const knowsCard = shop.purchaseAccountId !== undefined;
  const isUpdate = purchaseState === 'updateBilling';
  const isSale = purchaseState === 'purchase' || purchaseState === 'repurchase';
  return (
    <PaymentDialog
      title={title}
      settings={shop.tokenizer}
      {...(isUpdate ? {} : { confirmation: <Confirmation inputs={inputs} knowsCard={knowsCard} billingReturn={billingReturn} /> })}
      knowsCard={knowsCard && !isUpdate}
      {...(isSale && { buys: { product: 'premium' as const, units: products.premium.units.min } })}
      withCoupon={isSale}
      submitText={submit}
      pay={purchase.mutateAsync}
      thanks={thanks}
      again={
        <Button variant="filled" component={PathLink} href="/upgrade#renewScreen">
          Purchase again
        </Button>
      }
      asPage={asPage}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

type ConfirmationProps = { inputs: PurchaseInputs; knowsCard: boolean; billingReturn: string | undefined };

/** The charge, its date and its card. */
function Confirmation({ inputs, knowsCard, billingReturn }: ConfirmationProps) {
  const { purchaseState, productName, productPrice, productTerm } = inputs;
  const isReactivation = purchaseState === 'reactiveautorenew';
  return (
    <>
      <p className={classes.price}>
        <b>{productPrice}</b> a {productTerm}
      </p>
      {isReactivation ? (
        <p>
          Nothing is charged today. {productName} then renews each {productTerm} at the same price, not including discounts.
        </p>
      ) : (
        <>
          <Notice kind="note">{replaceNotice(inputs)}</Notice>
          <p>{termsOf(inputs)}</p>
        </>
      )}
      {knowsCard && <KnownCard returnUrl={billingReturn ?? `${location.pathname}${location.search}${location.hash}`} />}
    </>
  );
}

/** The stored card and promo code. */
function KnownCard({ returnUrl }: { returnUrl: string }) {
  const { data } = useQuery(billingQuery);
  const { card, coupon } = data ?? {};
  return (
    <p className={classes.payer}>
      {card ? `${card.brand} ending in ${card.lastFour} pays. ` : 'The card that is known pays. '}
      <PathLink className={classes.textLink} href={`${withQuery('/account/billing', { returnUrl })}#changeBillingScreen`}>
        Use another card
      </PathLink>
      {coupon !== undefined && <span>The promo code {coupon} is taken off.</span>}
    </p>
  );
}
