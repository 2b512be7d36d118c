import { Button } from '@mantine/core';
import { type ReplyOf, type getShop, priceText, products, safePath } from '@sheaf/contract';
import { IconCheck, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDay } from '#/features/purchase/format-day.ts';
import { Included } from '#/features/purchase/Included.tsx';
import { premiumInputs } from '#/features/purchase/payment/purchase-inputs.ts';
import { shopQuery } from '#/features/purchase/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useHash, useQueryParams } from '#/lib/navigation/location.ts';
import { Skeleton } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { PurchaseDialog } from './PurchaseDialog.tsx';
import { TrialDialog } from './TrialDialog.tsx';
import { type Obstacle, obstacleTo, screenOf } from './upgrade-screen.ts';
import classes from '../purchase.module.css';

type Shop = ReplyOf<typeof getShop>;
/** Default target after a purchase or trial. */
const successUrl = '/account/subscriptions';

/** Premium: description, price, and the screen in the hash. Afterwards it goes to the query's `returnUrl`. */
export function UpgradePage() {
  const { data: shop, error, refetch } = useQuery(shopQuery);
  const hash = useHash();
  if (shop?.tokenizer.mode === 'off') return <Included />;
  return (
    <Page>
      <PageHead title="Premium" line={`${priceText(products.premium.price)} a ${products.premium.term}`} />
      <div className={classes.upgrade}>
        <Pitch />
        <div className={classes.counter}>
          {error && <ErrorState title="Premium cannot be shown at the moment" message={errorText(error)} onRetry={() => void refetch()} />}
          {!shop && !error && <Skeleton height={280} radius={16} />}
          {shop && <Screen key={hash} hash={hash} shop={shop} />}
        </div>
      </div>
    </Page>
  );
}

const reasons = [
  ['Spaces', 'Share a folder of any of your storages with the people you invite, as viewers, editors or managers.'],
  ['Backup', 'Keep copies of your folders in whichever storage you choose.'],
  ['Encryption', 'Keep folders whose contents only you can read.'],
] as const;

function Pitch() {
  return (
    <ul className={classes.reasons} aria-label="What Premium includes">
      {reasons.map(([title, text]) => (
        <li key={title}>
          <IconCheck size={18} stroke={2} aria-hidden="true" />
          <div>
            <h2>{title}</h2>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Screen({ hash, shop: current }: { hash: string; shop: Shop }) {
  // State when the screen was opened: the purchase's own change must not replace its thanks.
  const [shop] = useState(current);
  const { returnUrl } = useQueryParams();
  const go = useGo();
  const screen = screenOf(hash);
  const { subscription } = shop;
  const obstacle = obstacleTo(screen, subscription, shop.purchaseAccountId !== undefined);
  const leave = (): void => go(safePath(returnUrl, successUrl));

  if (obstacle !== undefined) return <Instead obstacle={obstacle} shop={shop} />;
  if (screen === 'trial') return <TrialDialog asPage onDone={leave} onClose={leave} />;
  return (
    <PurchaseDialog
      inputs={premiumInputs(screen, { subOid: subscription?.subOid ?? '' })}
      shop={shop}
      asPage
      onDone={leave}
      onClose={leave}
    />
  );
}

/** The next step when the screen's action makes no sense. */
function Instead({ obstacle, shop: { subscription } }: { obstacle: Obstacle; shop: Shop }) {
  const ends = subscription ? formatDay(subscription.endsAt) : '';
  const { title, text, href, action } = {
    owned: {
      title: 'You have Premium',
      text: subscription?.autoRenew ? `It renews on ${ends}.` : `It ends on ${ends}.`,
      href: subscription?.autoRenew ? '/account/subscriptions' : '#autorenewScreen',
      action: subscription?.autoRenew ? 'Show my subscriptions' : 'Reactivate auto-renew',
    },
    renewing: {
      title: 'Premium renews by itself',
      text: `The next time on ${ends}.`,
      href: '/account/subscriptions',
      action: 'Show my subscriptions',
    },
    pastDue: {
      title: 'The last payment failed',
      text: 'Change the card that pays, and Premium goes on.',
      href: '/account/billing?returnUrl=%2Faccount%2Fsubscriptions#changeBillingScreen',
      action: 'Change billing',
    },
    nothingToRenew: {
      title: 'There is nothing to renew',
      text: 'You have not bought Premium yet.',
      href: '#purchaseScreen',
      action: 'Purchase Premium',
    },
  }[obstacle];
  return (
    <div className={classes.panel}>
      <EmptyState
        icon={<IconCircleCheck size={24} stroke={1.5} />}
        title={title}
        actions={
          <Button
            variant="filled"
            component={PathLink}
            href={href.startsWith('#') ? `${location.pathname}${location.search}${href}` : href}
          >
            {action}
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}
