import type { ProductName, Tokenizer } from '@sheaf/contract';
import type { ReactNode } from 'react';

/** Props of a payment dialog, whatever is paid for. */
export interface PayProps {
  title: string;
  /** The server's settings for turning cards into tokens. */
  settings: Tokenizer;
  /** Terms to confirm before paying; without them the card form comes first. */
  confirmation?: ReactNode;
  /** Whether the server has a stored card, so that none is asked for. */
  knowsCard: boolean;
  withCoupon?: boolean;
  /** The product, so that the amount due can be shown before the pay button. */
  buys?: { readonly product: ProductName; readonly units: number };
  /** Text of the pay button. */
  submitText: string;
  /** Makes the call: with a token when a card was typed in. */
  pay: (payment: { token?: string; coupon?: string }) => Promise<unknown>;
  /** Below "Thank You". */
  thanks: ReactNode;
  onDone: () => void;
  onClose: () => void;
}
