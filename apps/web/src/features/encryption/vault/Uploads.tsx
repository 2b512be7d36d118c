import { Button, Progress } from '@mantine/core';
import type { VaultUploads } from './use-uploads.ts';
import classes from '../shown/vault.module.css';

/** Uploads that run, wait, or need an answer. */
export function Uploads({ uploads }: { uploads: VaultUploads }) {
  if (uploads.list.length === 0) return null;
  return (
    <ul className={classes.uploads} aria-label="Uploads">
      {uploads.list.map((upload) => (
        <li key={upload.id} aria-label={upload.name}>
          <b>{upload.name}</b>
          {upload.state === 'running' || upload.state === 'waiting' ? (
            <Progress value={upload.done * 100} aria-label={`Upload of ${upload.name}`} />
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
