import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/** Values from the card form; empty when the stored card pays. */
interface Given {
  readonly makeToken?: () => Promise<string>;
  readonly coupon?: string;
}

/** Gets the card's token first, then makes the call with it. Pressing the button twice pays once. */
export function usePayment(pay: (payment: { token?: string; coupon?: string }) => Promise<unknown>) {
  const underWay = useRef<Promise<void>>(undefined);
  const payOnce = async ({ makeToken, coupon }: Given): Promise<void> => {
    try {
      const token = await makeToken?.();
      await pay({ ...(token === undefined ? {} : { token }), ...(coupon ? { coupon } : {}) });
    } finally {
      underWay.current = undefined;
    }
  };
  return useMutation({ mutationFn: (given: Given) => (underWay.current ??= payOnce(given)) });
}
