import type { ProductName, Tokenizer } from '@sheaf/contract';
import type { ReactNode } from 'react';

/** What a dialog is told that takes a payment, whatever is paid for. */
export interface PayProps {
  title: string;
  /** How the server wants cards to become tokens. */
  settings: Tokenizer;
  /** What is agreed to before anything is paid; without it the card form comes first. */
  confirmation?: ReactNode;
  /** Whether the server knows a card that can pay, so that none is asked for. */
  knowsCard: boolean;
  withCoupon?: boolean;
  /** What is bought, so that the amount due now can be told before the button that pays. */
  buys?: { readonly product: ProductName; readonly units: number };
  /** On the button that pays. */
  submitText: string;
  /** Makes the call: with a token when a card was typed in. */
  pay: (payment: { token?: string; coupon?: string }) => Promise<unknown>;
  /** Under "Thank You". */
  thanks: ReactNode;
  onDone: () => void;
  onClose: () => void;
}
