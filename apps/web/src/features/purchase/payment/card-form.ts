import type { CardForm } from '@sheaf/contract';

/** Values of the credit-card form. */
export interface CardValues {
  readonly firstName: string;
  readonly lastName: string;
  readonly creditCard: string;
  readonly expireMonth: string;
  readonly expireYear: string;
  readonly cvv: string;
  /** The promo code; optional. */
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

/** Whether all required values are present; the card service judges whether they are valid. */
export const isComplete = ({ firstName, lastName, creditCard, expireMonth, expireYear, cvv }: CardValues): boolean =>
  [firstName, lastName, creditCard, expireMonth, expireYear, cvv].every((value) => value.trim() !== '');

/** Converts the values to the tokenizer's input. */
export const tokenInput = (values: CardValues): CardForm => ({
  number: values.creditCard,
  month: values.expireMonth,
  year: values.expireYear,
  first_name: values.firstName,
  last_name: values.lastName,
  cvv: values.cvv,
});
