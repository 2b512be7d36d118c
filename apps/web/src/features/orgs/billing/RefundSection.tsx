import { Button } from '@mantine/core';
import { type Subscription, products } from '@sheaf/contract';
import { useState } from 'react';
import { AgreeDialog } from '#/features/orgs/settings/AgreeDialog.tsx';
import { dateWords } from '#/features/orgs/words.ts';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { Section } from '#/ui/Section.tsx';
import { useRefund } from './paying.ts';
import classes from '../orgs.module.css';

type Props = { orgOid: string; name: string; subscription: Subscription | undefined };

/** Ends the plan at once with a refund of the first charge, while that is possible. */
export function RefundSection({ orgOid, name, subscription }: Props) {
  const [isAsking, setAsking] = useState(false);
  const refund = useRefund(orgOid);
  const until = subscription?.refundableUntil;
  const close = (): void => {
    setAsking(false);
    refund.reset();
  };
  return (
    <Section title="Refund" text={`The first charge is given back in full within ${products.org.refundDays} days.`}>
      <div className={classes.form}>
        <p className={classes.quiet}>{until === undefined ? 'There is nothing to give back.' : `Possible until ${dateWords(until)}.`}</p>
        <Button disabled={until === undefined} onClick={() => setAsking(true)}>
          Refund
        </Button>
      </div>
      {isAsking && (
        <AgreeDialog
          title="End the plan and refund it?"
          confirm="Refund"
          busy={refund.isPending}
          error={refund.error}
          isDanger
          onConfirm={() =>
            refund.mutate(undefined, {
              onSuccess: () => {
                close();
                notifyDone('The plan has ended. The charge is on its way back to the card.');
              },
            })
          }
          onClose={close}
        >
          The plan ends at once for every member of {name}, and what was charged goes back to the card. The links are kept, but cannot be
          used until a plan is bought again.
        </AgreeDialog>
      )}
    </Section>
  );
}
