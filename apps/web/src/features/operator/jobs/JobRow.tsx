import { type Job, jobTitleOf } from '@sheaf/contract';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { useCancelJob, useRetryJob } from './queries.ts';
import { reasonText, timesOf } from './words.ts';
import classes from './jobs.module.css';

/** One background job: what it does, its times, why it failed, and what an operator may do with it. */
export function JobRow({ job }: { job: Job }) {
  const { scope, jobId, kind, state, isScheduled, reason } = job;
  const [isAsking, setAsking] = useState(false);
  const retry = useRetryJob();
  const cancel = useCancelJob();
  const title = jobTitleOf(kind);
  const onError = (error: Error) => notifyError(errorText(error));
  const run = () =>
    retry.mutate(
      { scope, jobId },
      { onError, onSuccess: ({ isRetried }) => notifyDone(isRetried ? `Started: ${title}.` : 'This job is no longer waiting.') },
    );
  const giveUp = () =>
    cancel.mutate(
      { scope, jobId },
      {
        onError,
        onSuccess: ({ isCancelled }) => notifyDone(isCancelled ? `Cancelled: ${title}.` : 'This job has ended.'),
        onSettled: () => setAsking(false),
      },
    );
  const canRun = state === 'waiting' || state === 'dead';
  const canCancel = !isScheduled && state !== 'dead';
  return (
    <li className={classes.row} aria-label={title}>
      <span className={classes.what}>
        <b>{title}</b>
        {reason !== undefined && state !== 'running' && <span className={classes.reason}>{reasonText(reason)}</span>}
        <small>{timesOf(job)}</small>
        <small className={classes.id}>
          {kind} {jobId}
        </small>
      </span>
      {(canRun || canCancel) && (
        <ItemMenu of={title} disabled={retry.isPending || cancel.isPending}>
          {canRun && <Menu.Item onClick={run}>{state === 'dead' ? 'Run again' : 'Run now'}</Menu.Item>}
          {canCancel && <Menu.Item onClick={() => setAsking(true)}>Cancel job</Menu.Item>}
        </ItemMenu>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Cancel this job?"
          confirm="Cancel job"
          cancel="Keep it"
          busy={cancel.isPending}
          onConfirm={giveUp}
          onClose={() => setAsking(false)}
        >
          {`"${title}" is given up. Whoever waits for it sees that it has failed.`}
        </ConfirmDialog>
      )}
    </li>
  );
}
