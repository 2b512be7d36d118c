import { priceText } from '@sheaf/contract';
import { type MailContent, content } from '#/platform/mail/content.ts';

/** A subscription as mails describe it. */
export interface Bill {
  /** The recipient. */
  readonly to: string;
  /** `Premium`, `Organisation (Harbour Ltd)`. */
  readonly what: string;
  /** Cents per term for all units. */
  readonly amount: number;
  readonly currency: string;
  /** Epoch seconds. */
  readonly endsAt: number;
  /** Address of the page that manages it. */
  readonly link: string;
  readonly isSandbox: boolean;
}

const dateText = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at * 1000);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const noMoney = 'This installation uses the billing sandbox: no money has moved.';
const signed = 'Thank you, your Sheaf';

function billMail(bill: Bill, subject: string, lines: readonly string[], title: string): MailContent {
  return content({
    subject,
    greeting: bill.to,
    lines: bill.isSandbox ? [...lines, noMoney] : lines,
    action: { title, link: bill.link },
    ending: signed,
  });
}

export const purchaseMail = (bill: Bill, paid: number): MailContent =>
  billMail(
    bill,
    `Your purchase of ${bill.what}`,
    [
      `${bill.what} is yours until ${dateText(bill.endsAt)}. You paid ${priceText(paid, bill.currency)}.`,
      `Then it renews for ${priceText(bill.amount, bill.currency)}, unless you turn off renewal before then.`,
    ],
    'See your bills',
  );
export const renewedMail = (bill: Bill): MailContent =>
  billMail(
    bill,
    `${bill.what} was renewed`,
    [`${bill.what} was renewed for ${priceText(bill.amount, bill.currency)} and is yours until ${dateText(bill.endsAt)}.`],
    'See your bills',
  );
export const renewalFailedMail = (bill: Bill, graceDays: number): MailContent =>
  billMail(
    bill,
    `${bill.what} could not be renewed`,
    [
      `The renewal of ${bill.what} for ${priceText(bill.amount, bill.currency)} did not go through.`,
      `It will be retried for ${graceDays} days; then ${bill.what} ends. Please check your card.`,
    ],
    'CONTINUE',
  );
export const endedMail = (bill: Bill): MailContent =>
  billMail(
    bill,
    `${capital(bill.what)} has ended`,
    [`${bill.what} has ended. Your files and links are unaffected, and you can continue where you stopped when you buy it.`],
    'See your subscriptions',
  );
export const refundedMail = (bill: Bill): MailContent =>
  billMail(
    bill,
    `Your payment for ${bill.what} is being refunded`,
    [`${bill.what} has ended, and your payment for its first term is refunded in full.`],
    'See your bills',
  );
