import { useQuery } from '@tanstack/react-query';
import { JobRow } from './JobRow.tsx';
import { failingJobs } from './queries.ts';
import classes from './operator.module.css';

/** Failing background jobs; renders nothing without any. */
export function FailingJobs() {
  const jobs = useQuery(failingJobs()).data?.jobs ?? [];
  if (jobs.length === 0) return null;
  return (
    <section aria-label="Failing jobs" className={classes.jobs}>
      <h2>Failing jobs</h2>
      <ul className={classes.providers}>
        {jobs.map((job) => (
          <JobRow key={job.jobId} job={job} />
        ))}
      </ul>
    </section>
  );
}
