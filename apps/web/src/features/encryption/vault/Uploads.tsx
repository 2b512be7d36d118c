import { Button } from '@mantine/core';
import { ProgressTrack } from '#/ui/ProgressTrack.tsx';
import type { VaultUploads } from './use-uploads.ts';
import classes from '../shown/vault.module.css';

/** Lists uploads that are running, waiting, or need a decision. */
export function Uploads({ uploads }: { uploads: VaultUploads }) {
  if (uploads.list.length === 0) return null;
  return (
    <ul className={classes.uploads} aria-label="Uploads">
      {uploads.list.map((upload) => (
        <li key={upload.id} aria-label={upload.name}>
          <b>{upload.name}</b>
          {upload.state === 'running' || upload.state === 'waiting' ? (
            <>
              <ProgressTrack className={classes.track} label={`Upload of ${upload.name}`} percent={Math.round(upload.done * 100)} />
              <span className={classes.waits}>{upload.state === 'waiting' ? 'Waiting' : `${Math.round(upload.done * 100)}%`}</span>
            </>
          ) : (
            <>
              <span role="alert">{upload.problem}</span>
              <Button size="xs" onClick={() => uploads.again(upload)}>
                {upload.state === 'taken' ? 'Replace' : 'Try again'}
              </Button>
              <Button size="xs" variant="subtle" onClick={() => uploads.drop(upload.id)}>
                Skip
              </Button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
