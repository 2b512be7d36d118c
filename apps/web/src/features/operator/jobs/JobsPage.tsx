import type { JobList } from '@sheaf/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { JobRow } from './JobRow.tsx';
import { jobsOf } from './queries.ts';
import shared from '../sections.module.css';
import classes from './jobs.module.css';

const sections: Readonly<Record<JobList, { title: string; none: string }>> = {
  failed: { title: 'Failed', none: 'No job has failed.' },
  running: { title: 'Running', none: 'No job is running.' },
  waiting: { title: 'Waiting', none: 'No job is waiting.' },
};
/** Failed jobs are first, because they need attention. */
const order: readonly JobList[] = ['failed', 'running', 'waiting'];

/** For the operator: background jobs that failed, run and wait. */
export function JobsPage() {
  const lists = useQueries({ queries: order.map((list) => jobsOf(list)) });
  const counts = lists[0]?.data?.counts;
  const error = lists.every(({ data }) => data === undefined) ? lists.find((list) => list.error)?.error : undefined;
  return (
    <Page>
      <PageHead
        title="Jobs"
        line={counts && `${number(counts.running)} running, ${number(counts.waiting)} waiting, ${number(counts.failed)} failed`}
      />
      <p className={classes.intro}>
        What Sheaf does in the background. Jobs are retried by themselves; nothing is lost when Sheaf is stopped.
      </p>
      {error ? (
        <ErrorState
          title="The jobs could not be listed"
          message={errorText(error)}
          onRetry={() => lists.forEach(({ refetch }) => void refetch())}
        />
      ) : (
        order.map((list) => <Jobs key={list} list={list} />)
      )}
    </Page>
  );
}

function Jobs({ list }: { list: JobList }) {
  const { data, error, refetch } = useQuery(jobsOf(list));
  const { title, none } = sections[list];
  const count = data?.counts[list] ?? 0;
  return (
    <section aria-label={title} className={shared.section}>
      <h2>{title}</h2>
      {error && <ErrorState title="These jobs could not be listed" message={errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={2} height={64} />}
      {data && data.jobs.length === 0 && <p className={classes.none}>{none}</p>}
      {data && data.jobs.length > 0 && (
        <ul className={shared.list}>
          {data.jobs.map((job) => (
            <JobRow key={`${job.scope} ${job.jobId}`} job={job} />
          ))}
        </ul>
      )}
      {data && count > data.jobs.length && (
        <p className={classes.none}>
          {number(data.jobs.length)} of {number(count)} are shown.
        </p>
      )}
    </section>
  );
}

const number = (count: number): string => count.toLocaleString('en');
