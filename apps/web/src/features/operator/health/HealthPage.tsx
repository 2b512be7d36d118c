import { Button } from '@mantine/core';
import { type Health, findSource } from '@sheaf/contract';
import { IconAlertTriangle, IconCircleCheck, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { ProblemText } from './problems.tsx';
import { installationHealth, surroundings, useTestMail } from './queries.ts';
import classes from './health.module.css';

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
/** Seconds by which the clocks of server and browser may differ. */
const clocksDiffer = 60;

/** For the operator: what needs attention, and how disk, database, mail and backups are. */
export function HealthPage() {
  const { data, error, refetch, dataUpdatedAt } = useQuery(installationHealth());
  const around = useQuery(surroundings());
  const letter = useTestMail();
  const findings = [...(data?.problems ?? []), ...(around.data?.problems ?? [])];
  const isClockWrong = data !== undefined && Math.abs(data.now - dataUpdatedAt / 1000) > clocksDiffer;
  const isGood = data !== undefined && around.data !== undefined && findings.length === 0 && !isClockWrong;
  return (
    <Page>
      <PageHead title="Health" line={data && `Sheaf ${data.version}, up since ${time.format(data.startedAt * 1000)}`}>
        <Button leftSection={<IconMail size={16} stroke={1.75} />} loading={letter.isPending} onClick={() => letter.mutate()}>
          Send a test letter
        </Button>
      </PageHead>
      <div role="status">
        {letter.error && <Problem>{errorText(letter.error)}</Problem>}
        {letter.isSuccess && <Good>A letter went to {letter.data.to}.</Good>}
      </div>
      {error && <ErrorState title="The health could not be shown" message={errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={6} height={44} />}
      {isGood && <Good>Nothing needs attention.</Good>}
      {isClockWrong && <Problem>The clocks of the server and of this browser differ by more than a minute. One of them is wrong.</Problem>}
      {findings.map((finding) => (
        <Problem key={finding.problem}>
          <ProblemText finding={finding} />
        </Problem>
      ))}
      <div role="status">
        {data && around.isFetching && (
          <p className={classes.note}>Asking the public address, the mail server and the providers, which takes some seconds …</p>
        )}
      </div>
      {around.error && !error && (
        <ErrorState
          title="The public address, the mail server and the providers could not be checked"
          message={errorText(around.error)}
          onRetry={() => void around.refetch()}
        />
      )}
      {data && (
        <dl className={classes.facts}>
          {factsOf(data).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {data && <Providers providers={data.providers} />}
    </Page>
  );
}

/** Calls to each provider in the last hour, and which providers asked for fewer requests. */
function Providers({ providers }: { providers: Health['providers'] }) {
  return (
    <section className={classes.providers} aria-label="Storages in the last hour">
      <h2>Storages in the last hour</h2>
      {providers.length === 0 ? (
        <p>This instance has asked none.</p>
      ) : (
        <dl className={classes.facts}>
          {providers.map(({ source, calls, failed, limited, limitedAt }) => (
            <div key={source}>
              <dt>{findSource(source)?.title ?? source}</dt>
              <dd>
                {calls === 1 ? '1 request' : `${calls.toLocaleString()} requests`}
                {failed > 0 && `, ${failed.toLocaleString()} failed`}
                {limited > 0 && limitedAt !== undefined && (
                  <small>
                    Asked for fewer {limited === 1 ? 'once' : `${limited.toLocaleString()} times`}, last at {time.format(limitedAt * 1000)}:
                    a limit of the provider is reached, and Sheaf waits and tries again.
                  </small>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function factsOf({ publicUrl, disk, database, mailServer, backupAt, failingJobs, memory, nodeVersion }: Health): [string, string][] {
  return [
    ['Public address', publicUrl],
    ['Disk with the data folder', `${formatSize(disk.free)} free of ${formatSize(disk.total)}`],
    [
      'Database',
      `${database.kind === 'sqlite' ? 'SQLite' : 'Postgres'}, ${formatSize(database.bytes)}, answers in ${database.answer.toLocaleString()} ms`,
    ],
    ['Mail', mailServer ?? 'Written to the data folder'],
    ['Newest backup', backupAt === undefined ? 'None' : time.format(backupAt * 1000)],
    ['Failing jobs', failingJobs.toLocaleString()],
    ['Memory', formatSize(memory)],
    ['Runtime', `Node ${nodeVersion.replace(/^v/, '')}`],
  ];
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <p className={classes.note} data-kind="problem">
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}

function Good({ children }: { children: ReactNode }) {
  return (
    <p className={classes.note} data-kind="good">
      <IconCircleCheck size={16} stroke={1.75} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
