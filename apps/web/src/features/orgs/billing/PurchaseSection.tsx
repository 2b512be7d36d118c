import { Button, TextInput } from '@mantine/core';
import { type ReplyOf, type getOrgSubscription, products } from '@sheaf/contract';
import { type ComponentType, useState } from 'react';
import { inOrg, orgHome } from '#/lib/org-address.ts';
import type { PayProps } from '#/lib/paying.ts';
import { useGo } from '#/ui/PathLink.tsx';
import { Section } from '#/ui/Section.tsx';
import { costOf, membersWords, purchaseTerms, unitPrice, unitsHint, unitsOf } from './cost.ts';
import { usePurchase } from './paying.ts';
import classes from '../orgs.module.css';

type Props = { orgOid: string; known: ReplyOf<typeof getOrgSubscription>; Pay: ComponentType<PayProps> };

/** Buys the plan for a number of members: the first time, after the trial, or again once it has ended. */
export function PurchaseSection({ orgOid, known, Pay }: Props) {
  const { subscription, members, tokenizer, purchaseAccountId } = known;
  const [typed, setTyped] = useState(String(Math.max(members, subscription?.units ?? products.org.units.min)));
  const [isPaying, setPaying] = useState(false);
  const purchase = usePurchase(orgOid);
  const go = useGo();
  const units = unitsOf(typed, members);
  const isRunning = subscription?.state === 'active' || subscription?.state === 'pastDue';
  return (
    <Section title="Purchase" text={`${unitPrice}. Every member counts, the owner included.`}>
      {isRunning ? (
        <div className={classes.form}>
          <p className={classes.quiet}>The plan is bought and running.</p>
          <Button disabled>Purchase</Button>
        </div>
      ) : (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (units !== undefined) setPaying(true);
          }}
        >
          <TextInput
            type="number"
            inputMode="numeric"
            label="Members"
            className={classes.number}
            value={typed}
            error={units === undefined && unitsHint(members)}
            description={units === undefined ? undefined : `${costOf(units)} a ${products.org.term}`}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="filled" disabled={units === undefined}>
            Purchase
          </Button>
        </form>
      )}
      {isPaying && units !== undefined && (
        <Pay
          title="Purchase Organisation"
          settings={tokenizer}
          confirmation={
            <>
              <p>
                <b>{costOf(units)}</b> a {products.org.term} for {membersWords(units)}
              </p>
              <p>{purchaseTerms(units)}</p>
            </>
          }
          knowsCard={purchaseAccountId !== undefined}
          withCoupon
          buys={{ product: 'org', units }}
          submitText="Purchase"
          pay={(payment) => purchase.mutateAsync({ units, ...payment })}
          thanks={`The plan is bought for ${membersWords(units)}. The receipt is on its way to you by mail.`}
          onDone={() => {
            setPaying(false);
            go(subscription?.state === 'expired' ? orgHome : inOrg('/org/subscription', orgOid));
          }}
          onClose={() => setPaying(false)}
        />
      )}
    </Section>
  );
}
