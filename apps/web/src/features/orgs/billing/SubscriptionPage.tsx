import type { Org, ReplyOf, Subscription, getOrgSubscription } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { OrgFrame } from '#/features/orgs/OrgFrame.tsx';
import { dateWords } from '#/features/orgs/words.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { inOrg } from '#/lib/org-address.ts';
import type { PayProps } from '#/lib/paying.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { AutoRenewSection } from './AutoRenewSection.tsx';
import { costOf, membersWords } from './cost.ts';
import { orgSubscription } from './paying.ts';
import { PurchaseSection } from './PurchaseSection.tsx';
import { RefundSection } from './RefundSection.tsx';
import { UnitsSection } from './UnitsSection.tsx';
import classes from '../orgs.module.css';

type Props = { /** Takes a payment. */ Pay: ComponentType<PayProps> };

/** An organisation's subscription: its members, its term, and what can be changed. */
export function SubscriptionPage({ Pay }: Props) {
  return (
    <OrgFrame right="billing" what="the subscription">
      {(org) => <Bought key={org.orgOid} org={org} Pay={Pay} />}
    </OrgFrame>
  );
}

function Bought({ org: { orgOid, name }, Pay }: { org: Org } & Props) {
  const { data, error, refetch } = useQuery(orgSubscription(orgOid));
  if (error && !data)
    return <ErrorState title="The subscription could not be loaded" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} height={72} />;
  if (data.tokenizer.mode === 'off') return <p className={classes.included}>Everything is included on this installation.</p>;
  const { members, subscription } = data;
  return (
    <>
      <Facts orgOid={orgOid} subscription={subscription} members={members} />
      <PurchaseSection orgOid={orgOid} known={data} Pay={Pay} />
      <UnitsSection orgOid={orgOid} members={members} subscription={runningOf(data)} />
      <AutoRenewSection orgOid={orgOid} subscription={runningOf(data)} />
      <RefundSection orgOid={orgOid} name={name} subscription={runningOf(data)} />
    </>
  );
}

/** The subscription, if it was paid for and is running. */
const runningOf = ({ subscription }: ReplyOf<typeof getOrgSubscription>): Subscription | undefined =>
  subscription?.state === 'active' || subscription?.state === 'pastDue' ? subscription : undefined;

const stateWords: Readonly<Record<Subscription['state'], string>> = {
  trial: 'Free trial',
  active: 'Active',
  pastDue: 'Payment is due',
  expired: 'Ended',
};

function endTitle({ state, autoRenew, refundedAt }: Subscription): string {
  if (refundedAt !== undefined) return 'Refunded';
  if (state === 'expired') return 'Ended';
  if (state === 'pastDue') return 'Was due';
  return state === 'trial' || !autoRenew ? 'Ends' : 'Renews';
}

function Facts({ orgOid, subscription, members }: { orgOid: string; subscription: Subscription | undefined; members: number }) {
  if (!subscription) return <p className={classes.included}>The organisation has no plan yet. {membersWords(members)} so far.</p>;
  const { name, state, units, endsAt, refundedAt } = subscription;
  return (
    <>
      <dl className={classes.facts}>
        <div>
          <dt>Plan</dt>
          <dd>{name}</dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>{refundedAt === undefined ? stateWords[state] : 'Refunded'}</dd>
        </div>
        <div>
          <dt>Members</dt>
          <dd>
            {members} of {units}
          </dd>
        </div>
        <div>
          <dt>{endTitle(subscription)}</dt>
          <dd>
            {dateWords(refundedAt ?? endsAt)}
            {state === 'active' && subscription.autoRenew && <small>for {costOf(units)}</small>}
          </dd>
        </div>
      </dl>
      {state === 'pastDue' && (
        <div className={classes.ended}>
          <Notice kind="error">
            The last renewal could not be paid, and is tried again for a few days.{' '}
            <PathLink className={classes.textLink} href={inOrg('/org/billing', orgOid)}>
              Change billing
            </PathLink>
          </Notice>
        </div>
      )}
    </>
  );
}
