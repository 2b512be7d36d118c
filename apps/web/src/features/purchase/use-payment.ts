import { useMutation } from '@tanstack/react-query';

/** What the card form gives; nothing when the known card pays. */
interface Given {
  readonly makeToken?: () => Promise<string>;
  readonly coupon?: string;
}

/** Asks for the card's token first, then makes the call with it. */
export function usePayment(pay: (payment: { token?: string; coupon?: string }) => Promise<unknown>) {
  return useMutation({
    mutationFn: async ({ makeToken, coupon }: Given) => {
      const token = await makeToken?.();
      await pay({ ...(token === undefined ? {} : { token }), ...(coupon ? { coupon } : {}) });
    },
  });
}
