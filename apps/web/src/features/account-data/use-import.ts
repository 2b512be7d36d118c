import type { Remote } from '@sheaf/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { inParallel } from '#/lib/in-parallel.ts';
import { addRemote } from './queries.ts';

/** Progress of a remote. */
export type Progress =
  | { readonly is: 'waiting' }
  | { readonly is: 'working' }
  | { readonly is: 'done'; readonly linkName: string; readonly browseUrl: string }
  | { readonly is: 'failed'; readonly message: string };

/** Servers asked concurrently. */
const atOnce = 3;

/** Links several remotes concurrently and reports each one's progress. */
export function useImport(config: string) {
  const [progress, setProgress] = useState<ReadonlyMap<string, Progress>>(new Map());
  const queries = useQueryClient();
  const mark = (remote: string, state: Progress): void => setProgress((before) => new Map(before).set(remote, state));

  async function add(remote: Remote, bucketName: string | undefined, continueAnyway: boolean): Promise<void> {
    mark(remote.remote, { is: 'working' });
    try {
      const bucket = bucketName === undefined ? {} : { bucketName };
      const { linkName, browseUrl } = await addRemote({ config, remote: remote.remote, continueAnyway, ...bucket });
      mark(remote.remote, { is: 'done', linkName, browseUrl });
    } catch (error) {
      mark(remote.remote, { is: 'failed', message: errorText(error) });
    }
  }

  return {
    progress,
    isRunning: [...progress.values()].some(({ is }) => is === 'waiting' || is === 'working'),
    async run(remotes: readonly Remote[], bucketOf: (remote: string) => string | undefined, continueAnyway = false): Promise<void> {
      for (const { remote } of remotes) mark(remote, { is: 'waiting' });
      await inParallel(remotes, atOnce, (one) => add(one, bucketOf(one.remote), continueAnyway));
      await queries.invalidateQueries({ queryKey: ['links'] });
    },
  };
}
