import { graceDays } from '@sheaf/contract';
import type { BillingProvider } from '#/billing/provider/provider.ts';
import type { MailContent } from '#/platform/mail/content.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { type Bill, endedMail, purchaseMail, refundedMail, renewalFailedMail, renewedMail } from './mails.ts';
import type { SubscriptionRow, SubscriptionStore } from './store.ts';
import { productOf } from './terms.ts';

interface Deps {
  readonly store: Pick<SubscriptionStore, 'addressee'>;
  readonly provider: Pick<BillingProvider, 'mode' | 'invoices'>;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly later: (name: string, task: () => Promise<void>) => void;
}

/** What is written about. */
export type News = 'bought' | 'renewed' | 'failed' | 'ended' | 'refunded';
export type SendBillMail = (news: News, row: SubscriptionRow) => void;

const pages: Readonly<Record<News, { readonly own: string; readonly org: string }>> = {
  bought: { own: '/account/billing', org: '/org/billing' },
  renewed: { own: '/account/billing', org: '/org/billing' },
  failed: { own: '/account/billing', org: '/org/billing' },
  ended: { own: '/account/subscriptions', org: '/org/subscription' },
  refunded: { own: '/account/billing', org: '/org/billing' },
};

/** Writes to whoever pays, without making anyone wait. */
export function createBillMails({ store, provider, mailer, publicUrl, later }: Deps): SendBillMail {
  async function write(news: News, row: SubscriptionRow): Promise<void> {
    const addressee = await store.addressee(row.payerId);
    if (!addressee) return;
    const isOrg = addressee.kind !== 'person';
    const { name } = productOf(row.product);
    const bill: Bill = {
      to: addressee.name,
      what: `${row.provider === '' ? 'the trial of ' : ''}${name}${isOrg ? ` (${addressee.payerName})` : ''}`,
      amount: row.units * row.price,
      currency: row.currency,
      endsAt: row.endsAt,
      link: publicUrl + (isOrg ? `${pages[news].org}?orgOid=${encodeURIComponent(row.payerId)}` : pages[news].own),
      isSandbox: provider.mode === 'sandbox',
    };
    await mailer.send({ to: addressee.email, ...(await letterOf(news, row, bill)) });
  }

  async function letterOf(news: News, row: SubscriptionRow, bill: Bill): Promise<MailContent> {
    if (news === 'renewed') return renewedMail(bill);
    if (news === 'failed') return renewalFailedMail(bill, graceDays);
    if (news === 'ended') return endedMail(bill);
    if (news === 'refunded') return refundedMail(bill);
    const [newest] = await provider.invoices(row.payerId);
    return purchaseMail(bill, newest?.amount ?? bill.amount);
  }

  return (news, row) => later(`mail about a subscription that was ${news}`, () => write(news, row));
}
