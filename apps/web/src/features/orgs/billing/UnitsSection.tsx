import { Button, TextInput } from '@mantine/core';
import type { Subscription } from '@sheaf/contract';
import { useState } from 'react';
import { AgreeDialog } from '#/features/orgs/settings/AgreeDialog.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { Section } from '#/ui/Section.tsx';
import { changeTerms, membersWords, unitsHint, unitsOf } from './cost.ts';
import { useChangeUnits } from './paying.ts';
import classes from '../orgs.module.css';

type Props = { orgOid: string; members: number; /** The plan that was bought and runs. */ subscription: Subscription | undefined };

/** Changes how many members the plan covers. */
export function UnitsSection({ orgOid, members, subscription }: Props) {
  return (
    <Section title="Units" text="One unit is one member.">
      {subscription ? (
        <UnitsForm key={subscription.units} orgOid={orgOid} members={members} subscription={subscription} />
      ) : (
        <div className={classes.form}>
          <p className={classes.quiet}>More members can be added once the plan is bought.</p>
          <Button disabled>Purchase units</Button>
        </div>
      )}
    </Section>
  );
}

function UnitsForm({ orgOid, members, subscription }: Props & { subscription: Subscription }) {
  const [typed, setTyped] = useState(String(subscription.units));
  const [isAsking, setAsking] = useState(false);
  const change = useChangeUnits(orgOid, (carried) => {
    setAsking(false);
    notifyDone(`The plan now carries ${membersWords(carried)}.`);
  });
  const units = unitsOf(typed, members);
  const close = (): void => {
    setAsking(false);
    change.reset();
  };
  return (
    <>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (units !== undefined && units !== subscription.units) setAsking(true);
        }}
      >
        <TextInput
          type="number"
          inputMode="numeric"
          label="Members the plan carries"
          className={classes.number}
          value={typed}
          error={units === undefined && unitsHint(members)}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" disabled={units === undefined || units === subscription.units}>
          Purchase units
        </Button>
      </form>
      {isAsking && units !== undefined && (
        <AgreeDialog
          title={`${units > subscription.units ? 'Purchase units' : 'Fewer units'}: ${membersWords(units)}`}
          confirm={units > subscription.units ? 'Purchase' : 'Change'}
          busy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(units)}
          onClose={close}
        >
          {changeTerms(subscription, units)}
        </AgreeDialog>
      )}
    </>
  );
}
