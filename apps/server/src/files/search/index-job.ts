import { Type } from 'typebox';
import { type JobHandler, defineJob } from '#/platform/jobs/job.ts';
import { type IndexDeps, buildIndex } from './index-store.ts';

/** Indexes rows of listings that an earlier version of Sheaf has stored, slice by slice in the background. */
export const createSearchIndexJob = (deps: IndexDeps): JobHandler =>
  defineJob({
    kind: 'search.index',
    payload: Type.Object({}),
    schedule: '43 4 * * *',
    atStart: true,
    run: ({ signal }) => buildIndex(deps, signal),
  });
