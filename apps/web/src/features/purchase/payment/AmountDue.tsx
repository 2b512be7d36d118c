import { useDebouncedValue } from '@mantine/hooks';
import { type InputOf, getQuote, priceText } from '@sheaf/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { send } from '#/lib/http/send.ts';
import classes from '../purchase.module.css';

/** Milliseconds after the last key before the price with the typed promo code is requested. */
const typingPause = 300;

const quoteQuery = (input: InputOf<typeof getQuote>) =>
  queryOptions({
    queryKey: ['purchase', 'quote', input],
    queryFn: ({ signal }) => send(getQuote, input, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });

type Props = Omit<InputOf<typeof getQuote>, 'coupon'> & {
  /** The typed promo code; empty: the stored one counts. */
  coupon?: string;
};

/** The amount due now, less the promo code's discount. */
export function AmountDue({ product, units, coupon = '' }: Props) {
  const [typed] = useDebouncedValue(coupon.trim(), typingPause);
  const { data, error } = useQuery(quoteQuery({ product, units, ...(typed !== '' && { coupon: typed }) }));
  return (
    <p className={classes.due} role="status">
      {error && (error instanceof CallError && error.is('INVALID_COUPON') ? 'There is no such promo code.' : errorText(error))}
      {!error && data && (
        <>
          Due now: <b>{priceText(data.due, data.currency)}</b>
          {data.discount > 0 &&
            ` (${priceText(data.price, data.currency)} less ${priceText(data.discount, data.currency)} with ${data.coupon})`}
        </>
      )}
    </p>
  );
}
