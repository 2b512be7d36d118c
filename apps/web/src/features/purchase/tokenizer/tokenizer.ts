import type { CardForm } from '@sheaf/contract';

/** The parts of a card that its service may draw itself, so that they never touch this page. */
export const hostedFields = ['number', 'month', 'year', 'cvv'] as const;
export type HostedField = (typeof hostedFields)[number];

/** Fields of the card service's own, each in a frame of its origin: this page learns whether they are filled, never what they hold. */
export interface HostedFields {
  /** Draws a field into `place`; the function given takes it away again. */
  attach(field: HostedField, place: HTMLElement, placeholder: string): () => void;
  /** Calls back whenever a field is filled or emptied; the function given ends that. */
  onFilled(listener: (field: HostedField, isFilled: boolean) => void): () => void;
  /** Calls back when Enter is pressed in a field; the function given ends that. */
  onSubmit(listener: () => void): () => void;
}

/** Turns a card into a token, which is all that Sheaf gets to see of it. */
export interface CardTokenizer {
  /** Absent where the form's own inputs hold the card. */
  readonly hosted?: HostedFields;
  /** A token that serves once. Rejects with {@link CardError} only. Parts that hosted fields hold are left out of account. */
  tokenize(card: CardForm): Promise<string>;
}

export const cardTexts = {
  card: 'The card details are not valid. Please check them and try again.',
  timeout: 'The card service did not answer in time. Please try again.',
} as const;

/** Why there is no token: the service does not take the card, or it gave no answer. */
export class CardError extends Error {
  readonly fault: keyof typeof cardTexts;

  constructor(fault: keyof typeof cardTexts, cause?: unknown) {
    super(cardTexts[fault], { cause });
    this.name = 'CardError';
    this.fault = fault;
  }
}
