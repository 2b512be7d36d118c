import type { JobStore } from './job-store.ts';

/** Job metrics in Prometheus's text format: waiting jobs from the database, ended ones as counted by this process. */
export function createJobMetrics(store: Pick<JobStore, 'counts'>, onTrouble: (error: unknown) => void) {
  const ended = new Map<string, number>();
  return {
    count(kind: string, result: string): void {
      const labels = `kind="${kind}",result="${result}"`;
      ended.set(labels, (ended.get(labels) ?? 0) + 1);
    },

    async lines(): Promise<string[]> {
      // Without the database it still answers the other metrics, which matter most then.
      const counts = await store.counts().catch((error: unknown) => {
        onTrouble(error);
        return [];
      });
      const open = counts.filter(({ state }) => state === 'ready' || state === 'running');
      const oldest = new Map<string, number>();
      for (const { kind, age } of open) oldest.set(kind, Math.max(age / 1000, oldest.get(kind) ?? 0));
      return [
        '# TYPE sheaf_jobs gauge',
        ...counts.map(({ kind, state, count }) => `sheaf_jobs{kind="${kind}",state="${state}"} ${count}`),
        '# HELP sheaf_job_oldest_seconds How long the oldest due job of a kind has waited.',
        '# TYPE sheaf_job_oldest_seconds gauge',
        ...[...oldest].map(([kind, seconds]) => `sheaf_job_oldest_seconds{kind="${kind}"} ${seconds}`),
        '# TYPE sheaf_job_ends_total counter',
        ...[...ended].map(([labels, count]) => `sheaf_job_ends_total{${labels}} ${count}`),
      ];
    },
  };
}
