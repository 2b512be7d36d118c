import { type Invoice, priceText } from '@sheaf/contract';
import classes from '../purchase.module.css';

const states: Readonly<Record<Invoice['state'], string>> = { paid: 'Paid', failed: 'Failed', refunded: 'Refunded', pending: 'Pending' };
const dateOf = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** Invoices: date, description, amount, and the receipt. */
export function BillList({ invoices }: { invoices: readonly Invoice[] }) {
  if (invoices.length === 0) return <p>There are no bills yet.</p>;
  return (
    <div className={classes.bills} role="table" aria-label="Bills">
      <div role="row" className={classes.billHead}>
        {['DATE', 'DESCRIPTION', 'AMOUNT', 'RECEIPT'].map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      {invoices.map(({ invoiceId, at, description, amount, currency, state, receiptUrl }) => (
        <div key={invoiceId} role="row" className={classes.bill}>
          <span role="cell">{dateOf(at)}</span>
          <span role="cell">
            {description}
            {state !== 'paid' && (
              <span className={classes.state} data-state={state}>
                {states[state]}
              </span>
            )}
          </span>
          <span role="cell">{priceText(amount, currency)}</span>
          <span role="cell">
            {receiptUrl !== undefined && (
              <a className={classes.textLink} href={receiptUrl} target="_blank" rel="noreferrer" aria-label={`Receipt of ${dateOf(at)}`}>
                Receipt
              </a>
            )}
          </span>
        </div>
      ))}
    </div>
  );
}
