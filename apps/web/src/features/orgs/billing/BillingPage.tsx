import { Button } from '@mantine/core';
import { type Invoice, type Org, priceText } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { OrgFrame } from '#/features/orgs/OrgFrame.tsx';
import { dateWords } from '#/features/orgs/words.ts';
import { errorText } from '#/lib/http/error-text.ts';
import type { PayProps } from '#/lib/paying.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Section } from '#/ui/Section.tsx';
import { orgBilling, useUpdateCard } from './paying.ts';
import classes from '../orgs.module.css';

type Props = { /** Takes a payment, or a card alone. */ Pay: ComponentType<PayProps> };

/** An organisation's card and invoices. */
export function BillingPage({ Pay }: Props) {
  return (
    <OrgFrame right="billing" what="the billing">
      {(org) => <Bills key={org.orgOid} org={org} Pay={Pay} />}
    </OrgFrame>
  );
}

function Bills({ org: { orgOid }, Pay }: { org: Org } & Props) {
  const { data, error, refetch } = useQuery(orgBilling(orgOid));
  const update = useUpdateCard(orgOid);
  const [isChanging, setChanging] = useState(false);
  if (error && !data)
    return <ErrorState title="The billing could not be loaded" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} height={60} />;
  const {
    tokenizer,
    billing: { card, purchaseAccountId, invoices },
  } = data;
  if (tokenizer.mode === 'off') return <p className={classes.included}>Everything is included on this installation.</p>;
  return (
    <>
      <Section title="Change billing" text="The card that pays for the organisation.">
        <div className={classes.form}>
          <p>
            {card
              ? `${card.brand} ending in ${card.lastFour}, valid until ${String(card.expireMonth).padStart(2, '0')}/${card.expireYear}, ${card.holder}`
              : 'No card is stored yet. You enter one with the first purchase.'}
          </p>
          <Button disabled={purchaseAccountId === undefined} onClick={() => setChanging(true)}>
            Change billing
          </Button>
        </div>
      </Section>
      <Section title="Billing list" text="Every charge, and what was given back.">
        {invoices.length === 0 ? <p className={classes.quiet}>No charges yet.</p> : <InvoiceTable invoices={invoices} />}
      </Section>
      {isChanging && (
        <Pay
          title="Change billing"
          settings={tokenizer}
          knowsCard={false}
          submitText="Save"
          pay={({ token = '' }) => update.mutateAsync(token)}
          thanks="The billing information of the organisation was updated."
          onDone={() => setChanging(false)}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}

const stateWords: Readonly<Record<Invoice['state'], string>> = { paid: 'Paid', failed: 'Failed', refunded: 'Refunded', pending: 'Pending' };

function InvoiceTable({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <table className={classes.invoices}>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Description</th>
          <th scope="col">Amount</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {invoices.map(({ invoiceId, at, description, amount, currency, state, receiptUrl }) => (
          <tr key={invoiceId}>
            <td>{dateWords(at)}</td>
            <td>{description}</td>
            <td>{priceText(amount, currency)}</td>
            <td>
              {receiptUrl === undefined ? (
                stateWords[state]
              ) : (
                <a className={classes.textLink} href={receiptUrl} target="_blank" rel="noreferrer">
                  {stateWords[state]}, receipt
                </a>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
