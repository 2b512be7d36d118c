import { Button } from '@mantine/core';
import { type Subscription, products } from '@sheaf/contract';
import { useState } from 'react';
import { AgreeDialog } from '#/features/orgs/settings/AgreeDialog.tsx';
import { dateWords, renewalWords } from '#/features/orgs/words.ts';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { Section } from '#/ui/Section.tsx';
import { costOf } from './cost.ts';
import { useAutoRenew } from './paying.ts';
import classes from '../orgs.module.css';

/** Turns automatic renewal of the plan on or off. */
export function AutoRenewSection({ orgOid, subscription }: { orgOid: string; subscription: Subscription | undefined }) {
  const [isAsking, setAsking] = useState(false);
  const set = useAutoRenew(orgOid);
  const renews = subscription?.autoRenew === true;
  const label = renews ? 'Turn auto-renew off' : 'Turn auto-renew on';
  const words = subscription && renewalWords(subscription);
  const close = (): void => {
    setAsking(false);
    set.reset();
  };
  return (
    <Section title="Auto-renew" text="Whether the plan goes on by itself after its term.">
      <div className={classes.form}>
        <p className={classes.quiet}>{words?.line ?? 'There is no running plan to renew.'}</p>
        <Button disabled={!subscription} onClick={() => setAsking(true)}>
          {label}
        </Button>
      </div>
      {isAsking && subscription && words && (
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
                notifyDone(renews ? words.stopped : `The plan renews on ${dateWords(subscription.endsAt)}.`);
              },
            })
          }
          onClose={close}
        >
          {renews
            ? `${words.off} for every member. The links are kept, but cannot be used until it is renewed.`
            : `Nothing is charged today. On ${dateWords(subscription.endsAt)} you will be charged ${costOf(subscription.units)} for another ${products.org.term}.`}
        </AgreeDialog>
      )}
    </Section>
  );
}
