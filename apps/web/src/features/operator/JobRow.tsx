import { Button } from '@mantine/core';
import type { FailingJob } from '@sheaf/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { errorText } from '#/lib/http/error-text.ts';
import { useRetryJob } from './queries.ts';
import classes from './operator.module.css';

const dateTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const shown = (seconds: number): string => dateTime.format(seconds * 1000);

/** One failing job: reason and time of its last attempt, and a button to retry it. */
export function JobRow({ job }: { job: FailingJob }) {
  const { kind, state, reason, attempts, failedAt, nextAt, scope, jobId } = job;
  const retry = useRetryJob();
  return (
    <li className={classes.provider} aria-label={kind}>
      <IconAlertTriangle size={24} stroke={1.75} aria-hidden="true" />
      <div className={classes.facts}>
        <h3>{kind}</h3>
        <p>{reason}</p>
        <p>
          {`Failed ${shown(failedAt)}, ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}. `}
          {state === 'dead' && 'Not tried again by itself.'}
          {state === 'running' && 'Running now.'}
          {state === 'waiting' && nextAt !== undefined && `Next attempt ${shown(nextAt)}.`}
        </p>
        <div role="status">
          {retry.error && <p className={classes.bad}>{errorText(retry.error)}</p>}
          {retry.isSuccess && <p className={classes.good}>{retry.data.isRetried ? 'Started.' : 'This job is no longer waiting.'}</p>}
        </div>
      </div>
      {state !== 'running' && (
        <Button size="xs" loading={retry.isPending} onClick={() => retry.mutate({ scope, jobId })} aria-label={`Retry ${kind} now`}>
          Retry now
        </Button>
      )}
    </li>
  );
}
