import { Button } from '@mantine/core';
import { type Subscription, priceText } from '@sheaf/contract';
import { useState } from 'react';
import { formatDay } from '#/features/purchase/format-day.ts';
import { premiumInputs } from '#/features/purchase/payment/purchase-inputs.ts';
import { useCancelRenewal, usePurchase, useRefund } from '#/features/purchase/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import { Switch } from '#/ui/Switch.tsx';
import { lasting, stateName, stopped } from './subscription-words.ts';
import classes from '../purchase.module.css';

/** One subscription; only the current one, at the top of the list, can be changed. */
export function SubscriptionCard({ subscription, isCurrent }: { subscription: Subscription; isCurrent: boolean }) {
  const { name, state, price, currency } = subscription;
  return (
    <li className={classes.subscription} aria-label={name}>
      <div className={classes.subscriptionFacts}>
        <h2>
          {name}{' '}
          <span className={classes.state} data-state={state}>
            {stateName(subscription)}
          </span>
        </h2>
        <p>
          {lasting(subscription)} {state !== 'trial' && state !== 'expired' && <span>{priceText(price, currency)} a year.</span>}
        </p>
      </div>
      {isCurrent && <Renewal subscription={subscription} />}
      {isCurrent && <Actions subscription={subscription} />}
    </li>
  );
}

/** The auto-renew switch of a running paid subscription. */
function Renewal({ subscription }: { subscription: Subscription }) {
  const { subOid, state, autoRenew } = subscription;
  const cancel = useCancelRenewal();
  const reactivate = usePurchase(premiumInputs('reactiveautorenew', { subOid }));
  const isBusy = cancel.isPending || reactivate.isPending;
  if (state !== 'active' && state !== 'pastDue') return null;
  const turn = (): void => {
    if (autoRenew) {
      cancel.mutate(subOid, {
        onSuccess: () => notifyDone(stopped(subscription)),
        onError: (error) => notifyError(`Cannot turn auto-renew off. ${errorText(error)}`),
      });
    } else {
      reactivate.mutate({}, { onSuccess: () => notifyDone('Premium will renew by itself again.') });
    }
  };
  return (
    <div className={classes.renewal}>
      <Switch
        label="Auto-renew"
        checked={cancel.isPending ? false : reactivate.isPending ? true : autoRenew}
        disabled={isBusy}
        onChange={turn}
      />
      {reactivate.error && (
        <Notice kind="error">
          {errorText(reactivate.error)}{' '}
          <PathLink className={classes.textLink} href="/upgrade#autorenewScreen">
            CONTINUE
          </PathLink>
        </Notice>
      )}
    </div>
  );
}

const screens = {
  trial: { title: 'Purchase Premium', href: '/upgrade#purchaseScreen' },
  pastDue: { title: 'Change billing', href: '/account/billing?returnUrl=%2Faccount%2Fsubscriptions#changeBillingScreen' },
  expired: { title: 'Purchase again', href: '/upgrade#renewScreen' },
} as const;

function Actions({ subscription }: { subscription: Subscription }) {
  const { state, autoRenew, refundableUntil } = subscription;
  const next =
    state === 'active' ? (autoRenew ? undefined : { title: 'Reactivate auto-renew', href: '/upgrade#autorenewScreen' }) : screens[state];
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={classes.actions}>
      {refundableUntil !== undefined && <Button onClick={() => setAsking(true)}>Get a refund</Button>}
      {next && (
        <Button variant="filled" component={PathLink} href={next.href}>
          {next.title}
        </Button>
      )}
      {isAsking && <RefundDialog subscription={subscription} onClose={() => setAsking(false)} />}
    </div>
  );
}

function RefundDialog({ subscription: { subOid, name, refundableUntil }, onClose }: { subscription: Subscription; onClose: () => void }) {
  const refund = useRefund();
  return (
    <ConfirmDialog
      title={`Give ${name} back?`}
      confirm="End and refund"
      cancel="Keep Premium"
      busy={refund.isPending}
      busyText="Refunding…"
      onClose={onClose}
      onConfirm={() =>
        refund.mutate(subOid, {
          onSuccess: () => {
            notifyDone(`${name} has ended. What you paid is given back to your card.`);
            onClose();
          },
        })
      }
    >
      {name} ends at once, and all that you paid is given back to your card. This is possible
      {refundableUntil === undefined ? '' : ` until ${formatDay(refundableUntil)}`}. Spaces that you own can then no longer be reached;
      their files stay where they are.
      {refund.error && <Notice kind="error">{errorText(refund.error)}</Notice>}
    </ConfirmDialog>
  );
}
