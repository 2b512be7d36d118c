import { Button } from '@mantine/core';
import type { Remote } from '@sheaf/contract';
import { useState } from 'react';
import { PathLink } from '#/ui/PathLink.tsx';
import { RemoteRow } from './RemoteRow.tsx';
import { useImport } from './use-import.ts';
import classes from './account-data.module.css';

type Props = { config: string; remotes: readonly Remote[]; onEnd: () => void };

const canLink = ({ state }: Remote): boolean => state === 'ready' || state === 'bucket';

/** The remotes of a file, the choice of those to link, and their progress. */
export function RemoteList({ config, remotes, onEnd }: Props) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(
    () => new Set(remotes.filter((remote) => remote.state === 'ready' && !remote.isBase).map(({ remote }) => remote)),
  );
  const [buckets, setBuckets] = useState<Readonly<Record<string, string>>>({});
  const { progress, isRunning, run } = useImport(config);

  const isDone = (remote: Remote): boolean => progress.get(remote.remote)?.is === 'done';
  const hasFailed = (remote: Remote): boolean => progress.get(remote.remote)?.is === 'failed';
  const isReady = (remote: Remote): boolean => remote.state === 'ready' || (buckets[remote.remote] ?? '').trim() !== '';
  const wanted = remotes.filter((remote) => canLink(remote) && picked.has(remote.remote) && !isDone(remote));
  const done = remotes.filter(isDone).length;
  const bucketOf = (remote: string): string | undefined => buckets[remote];
  const pick = (name: string, isPicked: boolean): void => {
    const next = new Set(picked);
    if (isPicked) next.add(name);
    else next.delete(name);
    setPicked(next);
  };

  return (
    <div className={classes.import}>
      <ul className={classes.remotes} aria-label="Remotes of the file">
        {remotes.map((remote) => (
          <RemoteRow
            key={remote.remote}
            remote={remote}
            progress={progress.get(remote.remote)}
            isPicked={picked.has(remote.remote)}
            isBusy={isRunning}
            bucket={buckets[remote.remote] ?? ''}
            onPick={(isPicked) => pick(remote.remote, isPicked)}
            onBucket={(bucket) => {
              setBuckets({ ...buckets, [remote.remote]: bucket });
              pick(remote.remote, bucket.trim() !== '');
            }}
            onAnyway={() => void run([remote], bucketOf, true)}
          />
        ))}
      </ul>
      <p className={classes.hint} role="status">
        {progress.size === 0 ? `${remotes.filter(canLink).length} of ${remotes.length} can be linked.` : `${done} linked.`}
      </p>
      <div className={classes.buttons}>
        <Button onClick={onEnd} disabled={isRunning}>
          {done > 0 ? 'Close' : 'Cancel'}
        </Button>
        {done > 0 && wanted.length === 0 && (
          <Button variant="filled" component={PathLink} href="/account/mysheaf">
            Go to my links
          </Button>
        )}
        {(wanted.length > 0 || done === 0) && (
          <Button
            variant="filled"
            disabled={wanted.length === 0 || !wanted.every(isReady)}
            loading={isRunning}
            onClick={() => void run(wanted, bucketOf)}
          >
            {progress.size > 0 && wanted.every(hasFailed)
              ? 'Try again'
              : wanted.length === 1
                ? 'Link 1 storage'
                : `Link ${wanted.length} storages`}
          </Button>
        )}
      </div>
    </div>
  );
}
