import { Button, NativeSelect } from '@mantine/core';
import type { AuditEntry } from '@sheaf/contract';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { formatAgo } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { ShowMore } from '#/ui/button/ShowMore.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { byDay } from './days.ts';
import { type LogRef, activityLog, exportAddress, readableLogs } from './queries.ts';
import classes from './activity.module.css';

/** The audit log of the account, a Space or an organisation. */
export function ActivityPage() {
  const { space, org } = useQueryParams();
  const log: LogRef = { ...(space !== undefined && { spaceOid: space }), ...(space === undefined && org !== undefined && { orgOid: org }) };
  return (
    <Page>
      <PageHead
        title="Activity"
        line="Who changed links, shares, spaces and the account, and when. What is done inside files is not in it."
      />
      <div className={classes.tools}>
        <Choice log={log} />
        <span className={classes.exports}>
          {(['csv', 'json'] as const).map((format) => (
            <Button
              key={format}
              component="a"
              href={exportAddress(log, format)}
              download
              leftSection={<IconDownload size={16} stroke={1.75} />}
            >
              {format.toUpperCase()}
            </Button>
          ))}
        </span>
      </div>
      <Log log={log} />
    </Page>
  );
}

function Choice({ log: { spaceOid, orgOid } }: { log: LogRef }) {
  const { data: logs = [] } = useQuery(readableLogs);
  const go = useGo();
  const chosen = spaceOid === undefined ? (orgOid === undefined ? '' : `org ${orgOid}`) : `space ${spaceOid}`;
  const choose = (value: string): void => {
    const [kind = '', id = ''] = value.split(' ');
    go(withQuery('/account/activity', kind === '' ? {} : { [kind]: id }), { replace: true });
  };
  // Keeps a log that the user may not read in the list, so that the list does not show another one as selected.
  const unknown = chosen !== '' && !logs.some(({ value }) => value === chosen) ? [{ value: chosen, label: 'Another log' }] : [];
  return (
    <NativeSelect
      aria-label="Log"
      data={[{ value: '', label: 'My account' }, ...logs, ...unknown]}
      value={chosen}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

function Log({ log }: { log: LogRef }) {
  const pages = useInfiniteQuery(activityLog(log));
  const { data, error, refetch } = pages;
  if (error && !data) return <ErrorState title="The log could not be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={6} height={44} />;
  const entries = data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) {
    return (
      <EmptyState icon={<IconHistory size={24} stroke={1.5} />} title="Nothing has happened yet.">
        When a link, a share or a space is changed, it is written down here.
      </EmptyState>
    );
  }
  return (
    <>
      {byDay(entries).map(({ title, entries: ofDay }) => (
        <section key={title} className={classes.day}>
          <h2>{title}</h2>
          <ol>
            {ofDay.map((entry) => (
              <Row key={entry.id} entry={entry} isToday={title === 'Today'} />
            ))}
          </ol>
        </section>
      ))}
      <ShowMore pages={pages} className={classes.more} />
    </>
  );
}

function Row({ entry: { at, actorName, actorId, sentence }, isToday }: { entry: AuditEntry; isToday: boolean }) {
  const date = new Date(at * 1000);
  return (
    <li className={classes.row}>
      <time dateTime={date.toISOString()} title={date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })}>
        {date.toLocaleTimeString(undefined, { timeStyle: 'short' })}
      </time>
      <span className={classes.what}>
        {actorId !== undefined && <b>{actorName} </b>}
        {actorId === undefined ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence}
      </span>
      {isToday && <small>{formatAgo(date.getTime())}</small>}
    </li>
  );
}
