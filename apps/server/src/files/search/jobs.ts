import { type JobHandler, Nothing, defineJob } from '#/platform/jobs/job.ts';
import { dropGone } from './gone-store.ts';
import { type IndexDeps, buildIndex } from './index-store.ts';

/** Indexes rows of listings that an earlier version of Sheaf has stored, and takes out what deleted ones have left; slice by slice in the background. */
export const createSearchJobs = (deps: IndexDeps): readonly JobHandler[] => [
  defineJob({
    kind: 'search.index',
    payload: Nothing,
    schedule: '43 4 * * *',
    atStart: true,
    run: ({ signal }) => buildIndex(deps, signal),
  }),
  defineJob({ kind: 'search.drop', payload: Nothing, schedule: '*/5 * * * *', run: ({ signal }) => dropGone(deps.database, signal) }),
];
