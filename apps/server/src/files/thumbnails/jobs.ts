import { Type } from 'typebox';
import { type JobHandler, Nothing, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import type { Pictures } from './service.ts';

interface Deps {
  readonly pictures: Pictures;
  /** The ids of all links. */
  readonly linkIds: () => Promise<readonly string[]>;
  /** Names kinds of jobs for the data folder: pictures are on the local disk. */
  readonly localKind: (kind: string) => string;
  readonly enqueue: (job: JobRequest) => Promise<unknown>;
}

/** Removal of thumbnails of deleted links: at once in the data folder of the instance that deleted the link, hourly in all others. */
export function createThumbnailJobs({ pictures, linkIds, localKind, enqueue }: Deps) {
  const forget = localKind('thumbnails.forget');
  const handlers: JobHandler[] = [
    defineJob({
      kind: forget,
      payload: Type.Object({ linkId: Type.String() }),
      run: ({ payload: { linkId } }) => pictures.forget(linkId),
    }),
    defineJob({
      kind: localKind('thumbnails.tidy'),
      payload: Nothing,
      schedule: '47 * * * *',
      run: async () => pictures.keepOnly(await linkIds()),
    }),
  ];
  return { handlers, forget: async (linkId: string): Promise<void> => void (await enqueue({ kind: forget, payload: { linkId } })) };
}
