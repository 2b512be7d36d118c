import { Button } from '@mantine/core';
import type { Schedule, ScheduleResult } from '@sheaf/contract';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '#/features/transfers/figures.ts';
import { type ScheduleWish, schedulesQuery, useScheduleAct } from '#/features/transfers/schedules/queries.ts';
import { ScheduleDialog } from '#/features/transfers/schedules/ScheduleDialog.tsx';
import { errorText, errorAnswerText } from '#/lib/http/error-text.ts';
import { itemsOf, lastName, verbs } from '#/lib/transfers/words.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from './transfers.module.css';

const resultWords: Readonly<Record<ScheduleResult, string>> = {
  running: 'running now',
  done: 'last run done',
  failed: 'last run failed',
  asks: 'needs a decision',
  canceled: 'last run cancelled',
};

/** The account's schedules; nothing without any. */
export function Scheduled() {
  const { data, error } = useQuery(schedulesQuery);
  if (error && !data) return <Notice kind="error">{errorText(error)}</Notice>;
  if (!data || data.schedules.length === 0) return null;
  return (
    <section className={classes.section} aria-label="Scheduled">
      <h2>
        Scheduled
        <span>{data.schedules.length}</span>
      </h2>
      <ul>
        {data.schedules.map((schedule) => (
          <Row key={schedule.scheduleId} schedule={schedule} />
        ))}
      </ul>
    </section>
  );
}

function Row({ schedule }: { schedule: Schedule }) {
  const { scheduleId, name, kind, to, nextRun, isPaused, lastResult, lastTransferId, error } = schedule;
  const act = useScheduleAct(scheduleId);
  const [asking, setAsking] = useState<'delete' | 'edit'>();
  const told = act.error ? errorText(act.error) : error && lastResult !== 'done' ? errorAnswerText(error) : undefined;
  return (
    <li className={classes.transfer}>
      <FileIcon kind="folder" />
      <div className={classes.what}>
        <span className={classes.title}>{name}</span>
        <span>{`${verbs[kind].plan} ${itemsOf(schedule)} to ${lastName(to.path)}`}</span>
      </div>
      <div className={classes.middle}>
        <span>
          {[isPaused ? 'Paused' : `Next ${formatMoment(nextRun)}`, lastResult && resultWords[lastResult]].filter(Boolean).join(', ')}
        </span>
        {told !== undefined && <span role="status">{told}</span>}
      </div>
      <div className={classes.actions}>
        {lastTransferId !== undefined && (
          <Button
            component={PathLink}
            size="xs"
            variant={lastResult === 'asks' ? 'filled' : 'default'}
            href={`/transfers/${lastTransferId}`}
          >
            {lastResult === 'asks' ? 'Review' : 'Last run'}
          </Button>
        )}
        <Button size="xs" disabled={act.isPending || lastResult === 'running'} onClick={() => act.mutate('run')}>
          Run now
        </Button>
        <ItemMenu of={name} disabled={act.isPending}>
          <Menu.Item leftSection={<IconPencil size={18} stroke={1.75} />} onClick={() => setAsking('edit')}>
            Edit
          </Menu.Item>
          {isPaused ? (
            <Menu.Item leftSection={<IconPlayerPlay size={18} stroke={1.75} />} onClick={() => act.mutate('resume')}>
              Resume
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPause size={18} stroke={1.75} />} onClick={() => act.mutate('pause')}>
              Pause
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconTrash size={18} stroke={1.75} />} onClick={() => setAsking('delete')}>
            Delete
          </Menu.Item>
        </ItemMenu>
      </div>
      {asking === 'edit' && (
        <ScheduleDialog
          title={`Edit ${name}`}
          save="Save"
          wish={wishOf(schedule)}
          scheduleId={scheduleId}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={`Delete the schedule ${name}?`}
          confirm="Delete schedule"
          cancel="Keep it"
          onConfirm={() => {
            setAsking(undefined);
            act.mutate('delete');
          }}
          onClose={() => setAsking(undefined)}
        >
          It does not run any more. Its transfers, and the files that they have stored, stay.
        </ConfirmDialog>
      )}
    </li>
  );
}

/** The schedule as it would be made anew. */
function wishOf({
  kind,
  from,
  to,
  conflict,
  verify,
  bytesPerSecond,
  keepVersions,
  versionDays,
  versionRuns,
  ...rest
}: Schedule): ScheduleWish {
  return {
    kind,
    linkUri: from.map(({ linkUri }) => linkUri),
    parentLinkUri: to.linkUri,
    conflict,
    verify,
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
    ...(keepVersions !== undefined && { keepVersions }),
    ...(versionDays !== undefined && { versionDays }),
    ...(versionRuns !== undefined && { versionRuns }),
    name: rest.name,
    cron: rest.cron,
    timezone: rest.timezone,
  };
}
