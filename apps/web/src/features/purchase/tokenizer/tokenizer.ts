import type { CardForm } from '@sheaf/contract';

/** Fields that the card service may render itself, so that their values never touch this page. */
export const hostedFields = ['number', 'month', 'year', 'cvv'] as const;
export type HostedField = (typeof hostedFields)[number];

/** Fields in frames of the card service's origin: this page learns whether they are filled, never their values. */
export interface HostedFields {
  /** Renders a field into `place`; the returned function removes it. */
  attach(field: HostedField, place: HTMLElement, placeholder: string): () => void;
  /** Calls back whenever a field is filled or emptied; the returned function unsubscribes. */
  onFilled(listener: (field: HostedField, isFilled: boolean) => void): () => void;
  /** Calls back when Enter is pressed in a field; the returned function unsubscribes. */
  onSubmit(listener: () => void): () => void;
}

/** Turns a card into a token, the only part of it that Sheaf sees. */
export interface CardTokenizer {
  /** Absent where the form's own inputs hold the card. */
  readonly hosted?: HostedFields;
  /** Returns a token that works once. Rejects with {@link CardError} only. Ignores values that hosted fields hold. */
  tokenize(card: CardForm): Promise<string>;
}

export const cardTexts = {
  card: 'The card details are not valid. Please check them and try again.',
  timeout: 'The card service did not answer in time. Please try again.',
} as const;

/** Why there is no token: the service refuses the card, or gave no answer. */
export class CardError extends Error {
  readonly fault: keyof typeof cardTexts;

  constructor(fault: keyof typeof cardTexts, cause?: unknown) {
    super(cardTexts[fault], { cause });
    this.name = 'CardError';
    this.fault = fault;
  }
}
