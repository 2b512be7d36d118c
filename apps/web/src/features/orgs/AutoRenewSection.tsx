import { Button } from '@mantine/core';
import { type Subscription, products } from '@sheaf/contract';
import { useState } from 'react';
import { notifyDone } from '#/ui/notify.ts';
import { Section } from '#/ui/Section.tsx';
import { AgreeDialog } from './AgreeDialog.tsx';
import { costOf } from './cost.ts';
import { useAutoRenew } from './paying.ts';
import { dateWords } from './words.ts';
import classes from './orgs.module.css';

/** Lets the plan renew by itself, or end with its term. */
export function AutoRenewSection({ orgOid, subscription }: { orgOid: string; subscription: Subscription | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const set = useAutoRenew(orgOid);
  const renews = subscription?.autoRenew === true;
  const label = renews ? 'Turn auto-renew off' : 'Turn auto-renew on';
  const ends = subscription ? dateWords(subscription.endsAt) : '';
  const close = (): void => {
    setAsking(false);
    set.reset();
  };
  return (
    <Section title="Auto-renew" text="Whether the plan goes on by itself after its term.">
      <div className={classes.form}>
        <p className={classes.quiet}>
          {subscription ? (renews ? `The plan renews on ${ends}.` : `The plan ends on ${ends}.`) : 'There is no running plan to renew.'}
        </p>
        <Button disabled={!subscription} onClick={() => setAsking(true)}>
          {label}
        </Button>
      </div>
      {isAsking && subscription && (
        <AgreeDialog
          title={`${label}?`}
          confirm={renews ? 'Turn off' : 'Turn on'}
          busy={set.isPending}
          error={set.error}
          isDanger={renews}
          onConfirm={() =>
            set.mutate(!renews, {
              onSuccess: () => {
                close();
                notifyDone(renews ? `The plan ends on ${ends}.` : `The plan renews on ${ends}.`);
              },
            })
          }
          onClose={close}
        >
          {renews
            ? `The plan then ends on ${ends} for every member. The links are kept, but cannot be used until it is renewed.`
            : `Nothing is charged today. On ${ends} you will be charged ${costOf(subscription.units)} for another ${products.org.term}.`}
        </AgreeDialog>
      )}
    </Section>
  );
}
