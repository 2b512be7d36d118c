import { priceText } from '@sheaf/contract';
import { type Letter, letter } from '#/platform/mail/letter.ts';

/** A subscription as mails describe it. */
export interface Told {
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

function billLetter(told: Told, subject: string, lines: readonly string[], title: string): Letter {
  return letter({
    subject,
    greeting: told.to,
    lines: told.isSandbox ? [...lines, noMoney] : lines,
    action: { title, link: told.link },
    ending: signed,
  });
}

export const purchaseLetter = (told: Told, paid: number): Letter =>
  billLetter(
    told,
    `Your purchase of ${told.what}`,
    [
      `${told.what} is yours until ${dateText(told.endsAt)}. You paid ${priceText(paid, told.currency)}.`,
      `Then it renews for ${priceText(told.amount, told.currency)}, unless you turn renewal off before.`,
    ],
    'See your bills',
  );
export const renewedLetter = (told: Told): Letter =>
  billLetter(
    told,
    `${told.what} was renewed`,
    [`${told.what} was renewed for ${priceText(told.amount, told.currency)} and is yours until ${dateText(told.endsAt)}.`],
    'See your bills',
  );
export const renewalFailedLetter = (told: Told, graceDays: number): Letter =>
  billLetter(
    told,
    `${told.what} could not be renewed`,
    [
      `The renewal of ${told.what} for ${priceText(told.amount, told.currency)} did not go through.`,
      `It is tried again for ${graceDays} days; then ${told.what} ends. Please check the card that pays.`,
    ],
    'CONTINUE',
  );
export const endedLetter = (told: Told): Letter =>
  billLetter(
    told,
    `${capital(told.what)} has ended`,
    [`${told.what} has ended. Your files and links are where they were, and you can go on where you stopped when you buy it.`],
    'See your subscriptions',
  );
export const refundedLetter = (told: Told): Letter =>
  billLetter(
    told,
    `Your money for ${told.what} is on its way back`,
    [`${told.what} has ended, and what you paid for its first term is given back in full.`],
    'See your bills',
  );
