import { Button } from '@mantine/core';
import { sandboxCards } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { sessionQuery } from '#/lib/session/session.ts';
import { CopyText } from '#/ui/CopyText.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { Section } from '#/ui/Section.tsx';
import { useMoveClock } from './queries.ts';
import classes from './purchase.module.css';

const steps = [
  { days: 1, text: 'A day' },
  { days: 7, text: 'A week' },
  { days: 30, text: '30 days' },
  { days: 365, text: 'A year' },
] as const;

/** For the operator of a billing sandbox: moves its clock, so that trials end and subscriptions renew. */
export function SandboxClockPage() {
  const { data } = useQuery(sessionQuery);
  if (!data) return <SkeletonRows />;
  if (data.billing === 'sandbox') return <Clock />;
  return <EmptyState title="Billing sandbox">This installation does not bill in the sandbox, so there is no clock to move.</EmptyState>;
}

function Clock() {
  const move = useMoveClock();
  return (
    <Page>
      <PageHead title="Billing sandbox" line="No money moves on this installation." />
      <Section
        title="Clock"
        text="Moves the time of all billing forward: trials end, subscriptions renew, failed payments are tried again. It never goes back."
      >
        <div className={classes.actions}>
          {steps.map(({ days, text }) => (
            <Button
              key={days}
              loading={move.isPending && move.variables === days}
              disabled={move.isPending}
              onClick={() => move.mutate(days)}
            >
              {text} forward
            </Button>
          ))}
        </div>
        <p role="status" className={classes.clock}>
          {move.data && (
            <>
              In the sandbox it is now{' '}
              <b>{new Date(move.data.now * 1000).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })}</b>.
            </>
          )}
        </p>
        {move.error && <Notice kind="error">{errorText(move.error)}</Notice>}
      </Section>
      <Section title="Test cards" text="With any names, any CVV and any month to come.">
        <ul className={classes.testCards}>
          {sandboxCards.map(({ number, about }) => (
            <li key={number}>
              <CopyText text={number} label={`Copy the card that ${about}`} />
              <span>{about}</span>
            </li>
          ))}
        </ul>
      </Section>
    </Page>
  );
}
