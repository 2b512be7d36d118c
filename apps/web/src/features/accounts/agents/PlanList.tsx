import { Button } from '@mantine/core';
import { type AgentPlan, shareExpirations } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { momentOf } from '#/features/accounts/dates.ts';
import { formatSize, itemCount } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { CopyText } from '#/ui/CopyText.tsx';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { Section } from '#/ui/Section.tsx';
import { agentPlans, useConfirmPlan, useRefusePlan } from './queries.ts';
import classes from './agents.module.css';

/** Items of a plan that are named at first. */
const mostNamed = 5;

const wishes = { copy: 'wants to copy', move: 'wants to move', delete: 'wants to delete', share: 'wants to share publicly' } as const;
const outcomes = {
  waiting: 'Waits for you',
  running: 'Under way',
  done: 'Done',
  failed: 'Failed',
  refused: 'Refused',
  expired: 'Expired',
} as const;

/** Plans of agents: those that wait, with their buttons, then the outcome of recent ones. */
export function PlanList() {
  const { data, error, refetch } = useQuery(agentPlans);
  if (error) return <ErrorState title="What agents plan could not be listed" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data || data.plans.length === 0) return null;
  const waiting = data.plans.filter(({ state }) => state === 'waiting');
  const others = data.plans.filter(({ state }) => state !== 'waiting');
  return (
    <>
      {waiting.length > 0 && (
        <Section title="Waiting for you" text="Nothing of this has happened. It happens when you say so.">
          <ul className={classes.plans}>
            {waiting.map((plan) => (
              <WaitingPlan key={plan.planId} plan={plan} />
            ))}
          </ul>
        </Section>
      )}
      {others.length > 0 && (
        <Section title="Decided">
          <ul className={classes.plans}>
            {others.slice(0, 10).map((plan) => (
              <li key={plan.planId} className={classes.plan}>
                <PlanWords plan={plan} />
                <p className={classes.outcome}>
                  {outcomes[plan.state]}
                  {plan.problem !== undefined && `: ${plan.problem}`}
                </p>
                {plan.sharelinkurl !== undefined && <CopyText text={plan.sharelinkurl} label="Copy the link" framed />}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function WaitingPlan({ plan }: { plan: AgentPlan }) {
  const [isAsking, setAsking] = useState(false);
  const confirm = useConfirmPlan();
  const refuse = useRefusePlan();
  const isBusy = confirm.isPending || refuse.isPending;
  return (
    <li className={classes.plan} data-waiting>
      <PlanWords plan={plan} />
      <div className={classes.buttons}>
        {plan.transferId === undefined ? (
          <Button
            size="xs"
            variant={plan.kind === 'delete' ? 'danger' : 'filled'}
            loading={confirm.isPending}
            disabled={isBusy}
            onClick={() => (plan.kind === 'delete' ? setAsking(true) : confirm.mutate(plan.planId))}
          >
            {plan.kind === 'delete' ? 'Delete' : 'Share'}
          </Button>
        ) : (
          <Button size="xs" variant="filled" component={PathLink} href={`/transfers/${plan.transferId}`}>
            Look at the plan
          </Button>
        )}
        <Button size="xs" loading={refuse.isPending} disabled={isBusy} onClick={() => refuse.mutate(plan.planId)}>
          Refuse
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${itemCount(plan.items.length)}?`}
          confirm="Delete"
          cancel="Keep"
          busy={confirm.isPending}
          onConfirm={() => confirm.mutate(plan.planId, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          {plan.agentName} asked for this. Folders are deleted with everything in them.
        </ConfirmDialog>
      )}
    </li>
  );
}

function PlanWords({ plan }: { plan: AgentPlan }) {
  const { items, to, reason, expirationSeconds, createdAt } = plan;
  const term = shareExpirations.find(({ seconds }) => seconds === expirationSeconds && seconds > 0);
  return (
    <>
      <p className={classes.wish}>
        <b>{plan.agentName}</b> {wishes[plan.kind]} {itemCount(items.length)}
        {to !== undefined && ` into ${to}`}
        {term && ` for ${term.label.toLowerCase()}`}
      </p>
      <ul className={classes.items}>
        {items.slice(0, mostNamed).map(({ linkUri, path, isFolder, size }) => (
          <li key={linkUri}>
            {path}
            <small>{isFolder ? ' folder' : size === undefined ? '' : ` ${formatSize(size)}`}</small>
          </li>
        ))}
        {items.length > mostNamed && <li>and {items.length - mostNamed} more</li>}
      </ul>
      {reason !== undefined && <p className={classes.reason}>“{reason}”</p>}
      <small className={classes.when}>{momentOf(createdAt)}</small>
    </>
  );
}
