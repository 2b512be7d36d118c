import { IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatCount, formatMoment, itemsText, momentIn, paceOf, tookSeconds } from '#/features/transfers/figures.ts';
import { LimitSelect } from '#/features/transfers/LimitSelect.tsx';
import { useLimit } from '#/features/transfers/queries.ts';
import { formatDuration, formatSize } from '#/lib/format.ts';
import { errorAnswerText } from '#/lib/http/error-text.ts';
import type { LiveTransfer } from '#/lib/transfers/live.ts';
import { shareOf } from '#/lib/transfers/measure.ts';
import { openPercent } from '#/lib/uploads/uploads.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import classes from './transfers.module.css';

/** How far a transfer is: bytes, items, speed and time left while it runs; why and until when it waits; how it has ended. */
export function Progress({ transfer }: { transfer: LiveTransfer }) {
  const { state, error, itemsTotal, itemsFailed } = transfer;
  if (state === 'planning')
    return (
      <Panel>
        <div className={classes.line}>
          <b className={classes.big}>Planning</b>
          <span>{itemsText(itemsTotal)} so far</span>
        </div>
      </Panel>
    );
  if (state === 'planned') return null;
  if (state === 'done') return <Ended transfer={transfer} />;
  if (state === 'failed' || state === 'canceled')
    return (
      <>
        {state === 'failed' && (
          <div className={classes.reason}>
            <Notice kind="error">{error ? errorAnswerText(error) : `${itemsText(itemsFailed)} failed. The others arrived.`}</Notice>
          </div>
        )}
        <Panel>
          <div className={classes.line}>
            <b className={classes.big}>{state === 'failed' ? 'Failed' : 'Cancelled'}</b>
            <span>
              {bytesText(transfer)}. {state === 'canceled' && 'What is complete stays.'}
            </span>
          </div>
          <Figures transfer={transfer} />
        </Panel>
      </>
    );
  return <Running transfer={transfer} />;
}

function Running({ transfer }: { transfer: LiveTransfer }) {
  const { state, waitingUntil, error } = transfer;
  const percent = openPercent(shareOf(transfer));
  const { speed, left } = paceOf(transfer);
  const around = transfer.secondsLeft === undefined ? undefined : momentIn(transfer.secondsLeft);
  return (
    <Panel isWaiting={state === 'waiting'}>
      {state === 'waiting' ? (
        <div className={classes.line}>
          <IconHourglass size={18} stroke={1.75} aria-hidden="true" />
          <span>
            <b>{waitingUntil === undefined ? 'Waiting.' : `Waiting until ${formatMoment(waitingUntil)}.`}</b>{' '}
            {error && errorAnswerText(error)}
          </span>
        </div>
      ) : (
        <div className={classes.line}>
          <b className={classes.big}>{percent} %</b>
          <span>{bytesText(transfer)}</span>
          <span className={classes.right}>
            {state === 'paused' && 'Paused'}
            {state === 'running' &&
              (left === undefined
                ? 'The time left is not known yet'
                : `About ${left}${around === undefined ? '' : `, done around ${around}`}`)}
          </span>
        </div>
      )}
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Progress"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        data-state={state}
      >
        <i style={{ width: `${percent}%` }} />
      </div>
      <Figures transfer={transfer}>
        {state === 'running' && speed !== undefined && (
          <span>
            <b>{speed}</b> now
          </span>
        )}
        {state === 'waiting' && <span>{bytesText(transfer)}</span>}
        {state === 'waiting' && <span>Nothing is lost. It goes on where it stopped.</span>}
        <Limit transfer={transfer} />
      </Figures>
    </Panel>
  );
}

function Limit({ transfer }: { transfer: LiveTransfer }) {
  const limit = useLimit(transfer);
  return (
    <span className={classes.limit}>
      <LimitSelect
        label="Limit the speed"
        value={transfer.bytesPerSecond}
        disabled={limit.isPending}
        onChange={(bytesPerSecond) => limit.mutate(bytesPerSecond)}
      />
    </span>
  );
}

function Ended({ transfer }: { transfer: LiveTransfer }) {
  const { itemsFailed, itemsDone, bytesDone, startedAt, endedAt } = transfer;
  const took = tookSeconds(transfer);
  return (
    <div className={classes.ended} data-failed={itemsFailed > 0 || undefined} role="status">
      <IconCircleCheck size={22} stroke={1.75} aria-hidden="true" />
      <div>
        <b>
          {itemsText(itemsDone)}, {formatSize(bytesDone)}, {itemsFailed === 0 ? 'all arrived' : `${itemsText(itemsFailed)} failed`}
        </b>
        {startedAt !== undefined && endedAt !== undefined && took !== undefined && (
          <span>
            {formatMoment(startedAt)} to {formatMoment(endedAt)}
            {took >= 1 && bytesDone > 0 && `, ${formatDuration(took)}, ${formatSize(Math.round(bytesDone / took))}/s`}
          </span>
        )}
      </div>
    </div>
  );
}

function Panel({ isWaiting = false, children }: { isWaiting?: boolean; children: ReactNode }) {
  return (
    <div className={classes.panel} data-waiting={isWaiting || undefined}>
      {children}
    </div>
  );
}

function Figures({
  transfer: { itemsDone, itemsTotal, itemsFailed, bytesSentTwice },
  children,
}: {
  transfer: LiveTransfer;
  children?: ReactNode;
}) {
  return (
    <div className={classes.figures}>
      <span>
        <b>{formatCount(itemsDone)}</b> of {itemsText(itemsTotal)}
      </span>
      {children}
      <span data-failed={itemsFailed > 0 || undefined}>{itemsFailed === 0 ? 'none failed' : `${formatCount(itemsFailed)} failed`}</span>
      {bytesSentTwice > 0 && <span>{formatSize(bytesSentTwice)} sent again after an interruption</span>}
    </div>
  );
}

const bytesText = ({ bytesDone, bytesTotal }: LiveTransfer): string => `${formatSize(bytesDone)} of ${formatSize(bytesTotal)}`;
