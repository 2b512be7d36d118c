import { graceDays } from '@sheaf/contract';
import type { BillingProvider } from '#/billing/provider/provider.ts';
import type { Letter } from '#/platform/mail/letter.ts';
import type { Mailer } from '#/platform/mail/mailer.ts';
import { type Told, endedLetter, purchaseLetter, refundedLetter, renewalFailedLetter, renewedLetter } from './letters.ts';
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
export type Tell = (news: News, row: SubscriptionRow) => void;

const pages: Readonly<Record<News, { readonly own: string; readonly org: string }>> = {
  bought: { own: '/account/billing', org: '/org/billing' },
  renewed: { own: '/account/billing', org: '/org/billing' },
  failed: { own: '/account/billing', org: '/org/billing' },
  ended: { own: '/account/subscriptions', org: '/org/subscription' },
  refunded: { own: '/account/billing', org: '/org/billing' },
};

/** Writes to whoever pays, without making anyone wait. */
export function createTelling({ store, provider, mailer, publicUrl, later }: Deps): Tell {
  async function write(news: News, row: SubscriptionRow): Promise<void> {
    const addressee = await store.addressee(row.payerId);
    if (!addressee) return;
    const isOrg = addressee.kind !== 'person';
    const { name } = productOf(row.product);
    const told: Told = {
      to: addressee.name,
      what: `${row.provider === '' ? 'the trial of ' : ''}${name}${isOrg ? ` (${addressee.payerName})` : ''}`,
      amount: row.units * row.price,
      currency: row.currency,
      endsAt: row.endsAt,
      link: publicUrl + (isOrg ? `${pages[news].org}?orgOid=${encodeURIComponent(row.payerId)}` : pages[news].own),
      isSandbox: provider.mode === 'sandbox',
    };
    await mailer.send({ to: addressee.email, ...(await letterOf(news, row, told)) });
  }

  async function letterOf(news: News, row: SubscriptionRow, told: Told): Promise<Letter> {
    if (news === 'renewed') return renewedLetter(told);
    if (news === 'failed') return renewalFailedLetter(told, graceDays);
    if (news === 'ended') return endedLetter(told);
    if (news === 'refunded') return refundedLetter(told);
    const [newest] = await provider.invoices(row.payerId);
    return purchaseLetter(told, newest?.amount ?? told.amount);
  }

  return (news, row) => later(`letter about a subscription that was ${news}`, () => write(news, row));
}
