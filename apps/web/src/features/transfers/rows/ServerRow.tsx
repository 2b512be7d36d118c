import { IconArrowRight, IconChevronRight, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { errorAnswerText } from '#/lib/http/error-text.ts';
import type { LiveTransfer } from '#/lib/transfers/live.ts';
import { shareOf } from '#/lib/transfers/measure.ts';
import { itemsOf, lastName, titleOf } from '#/lib/transfers/words.ts';
import { openPercent } from '#/lib/uploads/uploads.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { ProgressTrack } from '#/ui/ProgressTrack.tsx';
import { formatCount, formatMoment, itemsText, paceOf } from '../figures.ts';
import { useAct } from '../queries.ts';
import classes from '../TransfersDrawer.module.css';

/** A transfer of the server in the drawer: what, from where, progress, pause and cancel. */
export function ServerRow({ transfer }: { transfer: LiveTransfer }) {
  const { transferId, state, from, to } = transfer;
  const act = useAct(transfer);
  const go = useGo();
  const title = itemsOf(transfer);
  const percent = openPercent(shareOf(transfer));
  const isOpen = state === 'running' || state === 'paused' || state === 'waiting';
  const firstFrom = from[0]?.path ?? '';
  return (
    <li className={classes.transfer} data-state={state === 'waiting' ? 'held' : state}>
      <FileIcon kind="folder" size={20} />
      <div className={classes.what}>
        <PathLink className={classes.title} href={`/transfers/${transferId}`} title={titleOf(transfer)}>
          {title}
        </PathLink>
        <div className={classes.way}>
          <span className={classes.place}>{firstFrom.split('/')[0]}</span>
          <IconArrowRight size={14} stroke={2} aria-label="to" />
          <span className={classes.place}>{lastName(to.path)}</span>
        </div>
      </div>
      <div className={classes.actions}>
        {state === 'running' && (
          <IconButton small label={`Pause ${title}`} withTooltip={false} disabled={act.isPending} onClick={() => act.mutate('pause')}>
            <IconPlayerPause size={16} stroke={1.75} />
          </IconButton>
        )}
        {(state === 'paused' || state === 'waiting') && (
          <IconButton small label={`Resume ${title}`} withTooltip={false} disabled={act.isPending} onClick={() => act.mutate('resume')}>
            <IconPlayerPlay size={16} stroke={1.75} />
          </IconButton>
        )}
        {isOpen || state === 'planning' ? (
          <IconButton small label={`Cancel ${title}`} withTooltip={false} disabled={act.isPending} onClick={() => act.mutate('cancel')}>
            <IconX size={16} stroke={1.75} />
          </IconButton>
        ) : (
          <IconButton small label={`Details of ${title}`} withTooltip={false} onClick={() => go(`/transfers/${transferId}`)}>
            <IconChevronRight size={16} stroke={1.75} />
          </IconButton>
        )}
      </div>
      {isOpen && <ProgressTrack className={classes.track} label={title} percent={percent} />}
      <div className={classes.figures}>
        <Figures transfer={transfer} percent={percent} />
      </div>
    </li>
  );
}

function Figures({ transfer, percent }: { transfer: LiveTransfer; percent: number }) {
  const { state, itemsDone, itemsTotal, itemsFailed, problems, waitingUntil, error } = transfer;
  if (state === 'planning') return <span>Planning, {itemsText(itemsTotal)} so far</span>;
  if (state === 'planned') return <span>{problems === 0 ? 'Ready to start' : `${itemsText(problems)} to decide`}</span>;
  if (state === 'failed') return <span>{error ? errorAnswerText(error) : 'Failed'}</span>;
  if (state === 'canceled') return <span>Cancelled</span>;
  if (state === 'done') return <span>{itemsFailed > 0 ? `${itemsText(itemsFailed)} failed` : `${itemsText(itemsDone)}`}</span>;
  if (state === 'waiting')
    return (
      <span>
        Waiting{waitingUntil !== undefined && ` until ${formatMoment(waitingUntil)}`}
        {error && `. ${errorAnswerText(error)}`}
      </span>
    );
  const { speed, left } = paceOf(transfer);
  return (
    <>
      <b>{percent} %</b>
      <span>
        {formatCount(itemsDone)} of {itemsText(itemsTotal)}
      </span>
      {state === 'paused' ? <span>Paused</span> : <span>{speed}</span>}
      {state === 'running' && left !== undefined && <span className={classes.left}>{left}</span>}
    </>
  );
}
