import type { CardForm } from '@sheaf/contract';

/** What the credit-card form holds. */
export interface CardValues {
  readonly firstName: string;
  readonly lastName: string;
  readonly creditCard: string;
  readonly expireMonth: string;
  readonly expireYear: string;
  readonly cvv: string;
  /** The promo code; may stay empty. */
  readonly coupon: string;
}

export const emptyCard: CardValues = {
  firstName: '',
  lastName: '',
  creditCard: '',
  expireMonth: '',
  expireYear: '',
  cvv: '',
  coupon: '',
};

/** Whether all that a card needs is there; whether it is right is the card service's to say. */
export const isComplete = ({ firstName, lastName, creditCard, expireMonth, expireYear, cvv }: CardValues): boolean =>
  [firstName, lastName, creditCard, expireMonth, expireYear, cvv].every((value) => value.trim() !== '');

/** The values as the tokenising call wants them. */
export const tokenInput = (values: CardValues): CardForm => ({
  number: values.creditCard,
  month: values.expireMonth,
  year: values.expireYear,
  first_name: values.firstName,
  last_name: values.lastName,
  cvv: values.cvv,
});
