import { Button } from '@mantine/core';
import { IconPlant2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Included } from '#/features/purchase/Included.tsx';
import { shopQuery, subscriptionsQuery } from '#/features/purchase/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import classes from '../purchase.module.css';

/** The account's subscriptions, their terms, and what can be changed. */
export function SubscriptionsPage() {
  const shop = useQuery(shopQuery);
  const list = useQuery(subscriptionsQuery);
  if (shop.data?.tokenizer.mode === 'off') return <Included />;
  const error = shop.error ?? list.error;
  const subscriptions = list.data?.subscriptions;
  return (
    <Page>
      <PageHead title="Subscriptions" line="What you have subscribed to, and how long it lasts." />
      {error && !subscriptions && (
        <ErrorState
          title="Your subscriptions cannot be shown"
          message={errorText(error)}
          onRetry={() => void Promise.all([shop.refetch(), list.refetch()])}
        />
      )}
      {!error && !(subscriptions && shop.data) && <SkeletonRows count={2} height={72} />}
      {subscriptions?.length === 0 && shop.data && <Nothing mayTry={shop.data.trialEligible} />}
      {subscriptions && subscriptions.length > 0 && (
        <ul className={classes.subscriptions} aria-label="Subscriptions">
          {subscriptions.map((subscription, index) => (
            <SubscriptionCard key={subscription.subOid} subscription={subscription} isCurrent={index === 0} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function Nothing({ mayTry }: { mayTry: boolean }) {
  return (
    <EmptyState
      icon={<IconPlant2 size={26} stroke={1.5} />}
      title="You have no subscription"
      actions={
        <>
          {mayTry && (
            <Button component={PathLink} href="/upgrade#thirtydaytrialScreen">
              Try free for 7 days
            </Button>
          )}
          <Button variant="filled" component={PathLink} href="/upgrade#purchaseScreen">
            Purchase Premium
          </Button>
        </>
      }
    >
      Premium brings Spaces, Backup and Encryption.
    </EmptyState>
  );
}
