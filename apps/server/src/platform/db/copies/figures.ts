import { type SourceOptions, withSnapshot } from './snapshot.ts';

/** What can be read of a database without changing it, whatever version wrote it. Rejects when it does not answer. */
export const readFigures = (options: Pick<SourceOptions, 'databaseUrl' | 'dataDir'>): Promise<{ failingJobs: number }> =>
  withSnapshot(options, async ({ query }) => {
    const [row = []] = await query('select count(*) from job where "failedAt" is not null');
    return { failingJobs: Number(row[0]) };
  });
