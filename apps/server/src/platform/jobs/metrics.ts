import type { Reading } from '#/platform/tracing/tracing.ts';
import type { JobStore } from './job-store.ts';

/** Job metrics in Prometheus's text format: waiting jobs from the database, ended ones as counted by this process. */
export function createJobMetrics(store: Pick<JobStore, 'counts'>, onTrouble: (error: unknown) => void) {
  const ended = new Map<string, number>();

  /** The counts, and for each kind how many seconds its oldest due job has waited. */
  async function open() {
    // Without the database it still answers the other metrics, which matter most then.
    const counts = await store.counts().catch((error: unknown) => {
      onTrouble(error);
      return [];
    });
    const oldest = new Map<string, number>();
    for (const { kind, state, age } of counts)
      if (state === 'ready' || state === 'running') oldest.set(kind, Math.max(age / 1000, oldest.get(kind) ?? 0));
    return { counts, oldest };
  }

  return {
    count(kind: string, result: string): void {
      const labels = `kind="${kind}",result="${result}"`;
      ended.set(labels, (ended.get(labels) ?? 0) + 1);
    },

    /** The same as gauges. */
    async readings(): Promise<Reading<'sheaf.jobs' | 'sheaf.jobs.oldest'>[]> {
      const { counts, oldest } = await open();
      return [
        ...counts.map(({ kind, state, count }) => ({
          name: 'sheaf.jobs' as const,
          value: count,
          facts: { 'sheaf.job.kind': kind, 'sheaf.job.state': state },
        })),
        ...[...oldest].map(([kind, value]) => ({ name: 'sheaf.jobs.oldest' as const, value, facts: { 'sheaf.job.kind': kind } })),
      ];
    },

    async lines(): Promise<string[]> {
      const { counts, oldest } = await open();
      return [
        '# HELP sheaf_jobs Jobs by kind and state: ready, running, held, or dead after all attempts.',
        '# TYPE sheaf_jobs gauge',
        ...counts.map(({ kind, state, count }) => `sheaf_jobs{kind="${kind}",state="${state}"} ${count}`),
        '# HELP sheaf_job_oldest_seconds How long the oldest due job of a kind has waited.',
        '# TYPE sheaf_job_oldest_seconds gauge',
        ...[...oldest].map(([kind, seconds]) => `sheaf_job_oldest_seconds{kind="${kind}"} ${seconds}`),
        '# HELP sheaf_job_ends_total Ended attempts of jobs by kind and result, of this process.',
        '# TYPE sheaf_job_ends_total counter',
        ...[...ended].map(([labels, count]) => `sheaf_job_ends_total{${labels}} ${count}`),
      ];
    },
  };
}
