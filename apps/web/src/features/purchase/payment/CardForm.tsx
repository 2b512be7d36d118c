import { Button, TextInput } from '@mantine/core';
import { type Tokenizer, sandboxCards } from '@sheaf/contract';
import { useEffect, useState } from 'react';
import type { CardTokenizer, HostedField } from '#/features/purchase/tokenizer/tokenizer.ts';
import type { PayProps } from '#/lib/paying.ts';
import { DialogButtons, DialogFields, DialogPair } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { Skeleton } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { AmountDue } from './AmountDue.tsx';
import { type CardValues, emptyCard, isComplete, tokenInput } from './card-form.ts';
import { failureOf } from './failures.ts';
import { HostedCardField } from './HostedCardField.tsx';
import { TestCards } from './TestCards.tsx';
import { useTokenizer } from './use-tokenizer.ts';
import classes from '../purchase.module.css';

type Props = {
  /** The server's settings for turning cards into tokens. */
  settings: Tokenizer;
  /** Whether the form has a field for a promo code. */
  withCoupon: boolean;
  buys: PayProps['buys'];
  submitText: string;
  busy: boolean;
  /** Error of the last submission, and whether it concerns the promo code. */
  failure?: { readonly text: string; readonly isCoupon?: true } | undefined;
  onChange: () => void;
  onCancel: () => void;
  /** `makeToken` calls the card service; it rejects with a CardError. */
  onSubmit: (makeToken: () => Promise<string>, coupon: string) => void;
};

/** The credit-card form. In the sandbox it takes test cards; otherwise the card is typed into the card service's own fields. */
export function CardForm(props: Props) {
  const { tokenizer, error, retry } = useTokenizer(props.settings);
  if (error) return <ErrorState title="The card form could not be loaded" message={failureOf(error).text} onRetry={retry} />;
  if (!tokenizer) {
    return (
      <div className={classes.waiting} role="status" aria-label="Loading">
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} height={36} />
        ))}
      </div>
    );
  }
  return <Fields {...props} tokenizer={tokenizer} />;
}

/** Stand-in for the value of a hosted field: only whether it is filled. */
const filled = (isFilled: boolean): string => (isFilled ? 'filled' : '');
const valueOf = { number: 'creditCard', month: 'expireMonth', year: 'expireYear', cvv: 'cvv' } as const satisfies Record<
  HostedField,
  keyof CardValues
>;

function Fields({
  settings,
  withCoupon,
  buys,
  submitText,
  busy,
  failure,
  onChange,
  onCancel,
  onSubmit,
  tokenizer,
}: Props & { tokenizer: CardTokenizer }) {
  const [values, setValues] = useState(emptyCard);
  const { hosted } = tokenizer;
  const isReady = isComplete(values);

  const change = (part: Partial<CardValues>): void => {
    setValues((now) => ({ ...now, ...part }));
    onChange();
  };
  const submit = (): void => {
    if (isReady && !busy) onSubmit(() => tokenizer.tokenize(tokenInput(values)), values.coupon.trim());
  };
  useEffect(() => hosted?.onFilled((field, isFilled) => setValues((now) => ({ ...now, [valueOf[field]]: filled(isFilled) }))), [hosted]);
  // Enter in a hosted field.
  useEffect(() => hosted?.onSubmit(submit));

  const own = (name: keyof CardValues, label: string, autoComplete: string, more: object = {}) => (
    <TextInput
      label={label}
      name={name}
      autoComplete={autoComplete}
      spellCheck={false}
      disabled={busy}
      value={values[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      {...more}
    />
  );
  const ofCard = (field: HostedField, label: string, autoComplete: string, placeholder: string) =>
    hosted ? (
      <HostedCardField hosted={hosted} field={field} label={label} placeholder={placeholder} />
    ) : (
      own(valueOf[field], label, autoComplete, { inputMode: 'numeric', placeholder })
    );

  return (
    <form action={submit}>
      <DialogFields>
        <DialogPair>
          {own('firstName', 'First name', 'cc-given-name', { 'data-autofocus': true, autoFocus: true })}
          {own('lastName', 'Last name', 'cc-family-name')}
        </DialogPair>
        {ofCard('number', 'Card number', 'cc-number', '1234 1234 1234 1234')}
        <div className={classes.three}>
          {ofCard('month', 'Month', 'cc-exp-month', 'MM')}
          {ofCard('year', 'Year', 'cc-exp-year', 'YYYY')}
          {ofCard('cvv', 'CVV', 'cc-csc', '123')}
        </div>
        {withCoupon &&
          own('coupon', 'Promo code', 'off', {
            label: (
              <>
                Promo code <span className={classes.optional}>optional</span>
              </>
            ),
            error: failure?.isCoupon && failure.text,
          })}
        {settings.mode === 'sandbox' && (
          <TestCards
            cards={sandboxCards}
            onChoose={(creditCard) =>
              change({ creditCard, expireMonth: '12', expireYear: String(new Date().getFullYear() + 4), cvv: '123' })
            }
          />
        )}
        {buys && <AmountDue {...buys} coupon={values.coupon} />}
      </DialogFields>
      {failure && !failure.isCoupon && (
        <Notice kind="error" inDialog>
          {failure.text}
        </Notice>
      )}
      <DialogButtons>
        <Button variant="subtle" onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" disabled={!isReady} loading={busy}>
          {submitText}
        </Button>
      </DialogButtons>
    </form>
  );
}
