import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { PayProps } from '#/lib/paying.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { AmountDue } from './AmountDue.tsx';
import { CardForm } from './CardForm.tsx';
import { failureOf } from './failures.ts';
import { usePayment } from './use-payment.ts';
import classes from '../purchase.module.css';

interface Props extends PayProps {
  /** Shown for an expired subscription that must be bought again. */
  again?: ReactNode;
  asPage?: boolean;
}

/**
 * Payment: the confirmation, the card form unless a card is stored, and the thanks. If the server refuses the billing information, CONTINUE leads to
 * the form. Cannot be closed while submitting.
 */
export function PaymentDialog({ title, settings, confirmation, knowsCard, withCoupon = false, buys, submitText, ...rest }: Props) {
  const { pay, thanks, again, asPage = false, onDone, onClose } = rest;
  const [isAtForm, setAtForm] = useState(confirmation === undefined);
  const payment = usePayment(pay);
  const failure = payment.error === null ? undefined : failureOf(payment.error);
  const frame = { asPage, level: 2 as const, busy: payment.isPending };

  if (payment.isSuccess) {
    return (
      <Dialog {...frame} title="Thank You" onClose={onDone}>
        <div className={classes.thanks} role="status">
          <IconCircleCheck size={22} stroke={1.75} aria-hidden="true" />
          <div>{thanks}</div>
        </div>
        <DialogButtons>
          <Button variant="filled" onClick={onDone} data-autofocus autoFocus>
            OK
          </Button>
        </DialogButtons>
      </Dialog>
    );
  }
  if (failure?.leadsTo !== undefined) {
    return (
      <Dialog {...frame} title={title} onClose={onClose}>
        <Notice kind="error" inDialog>
          {failure.text}
        </Notice>
        <DialogButtons>
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
          {failure.leadsTo === 'again' ? (
            again
          ) : (
            <Button
              variant="filled"
              data-autofocus
              autoFocus
              onClick={() => {
                setAtForm(true);
                payment.reset();
              }}
            >
              CONTINUE
            </Button>
          )}
        </DialogButtons>
      </Dialog>
    );
  }
  if (isAtForm) {
    return (
      <Dialog {...frame} title={title} sentence="Enter the card that is to pay." onClose={onClose}>
        <CardForm
          settings={settings}
          withCoupon={withCoupon}
          buys={buys}
          submitText={submitText}
          busy={payment.isPending}
          failure={failure}
          onChange={payment.reset}
          onCancel={onClose}
          onSubmit={(makeToken, coupon) => payment.mutate({ makeToken, coupon })}
        />
      </Dialog>
    );
  }
  return (
    <Dialog {...frame} title={title} onClose={onClose}>
      <div className={classes.confirmation}>
        {confirmation}
        {buys && <AmountDue {...buys} />}
      </div>
      {failure && (
        <Notice kind="error" inDialog>
          {failure.text}
        </Notice>
      )}
      <DialogButtons>
        <Button variant="subtle" onClick={onClose} disabled={payment.isPending}>
          Cancel
        </Button>
        <Button
          variant="filled"
          loading={payment.isPending}
          data-autofocus
          onClick={() => (knowsCard ? payment.mutate({}) : setAtForm(true))}
        >
          {knowsCard ? submitText : 'Continue to payment'}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
