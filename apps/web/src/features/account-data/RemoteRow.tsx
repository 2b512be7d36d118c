import { Button, Checkbox, Loader, TextInput } from '@mantine/core';
import { type Remote, findSource } from '@sheaf/contract';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { reasonText } from '#/lib/http/error-text.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import type { Progress } from './use-import.ts';
import classes from './account-data.module.css';

type Props = {
  remote: Remote;
  progress: Progress | undefined;
  isPicked: boolean;
  isBusy: boolean;
  bucket: string;
  onPick: (isPicked: boolean) => void;
  onBucket: (bucket: string) => void;
  onAnyway: () => void;
};

/** One remote: whether to link it, what it still needs, and the outcome. */
export function RemoteRow({ remote, progress, isPicked, isBusy, bucket, onPick, onBucket, onAnyway }: Props) {
  const { remote: name, title, account, state, note, noteCode, noteDetails, linkName, provider } = remote;
  const words = reasonText({ reason: note, reasonCode: noteCode, reasonDetails: noteDetails });
  const canLink = state === 'ready' || state === 'bucket';
  const route = provider === undefined ? undefined : findSource(provider)?.route;
  return (
    <li className={classes.remote} data-off={!canLink || undefined}>
      <Checkbox
        aria-label={`Link ${name}`}
        checked={canLink && (isPicked || progress?.is === 'done')}
        disabled={!canLink || isBusy || progress?.is === 'done'}
        onChange={(event) => onPick(event.currentTarget.checked)}
      />
      <div className={classes.words}>
        <b>{name}</b>
        <small>
          {[title, account].filter((text) => text !== '').join(', ')}
          {canLink && linkName !== name && `. It will be called ${linkName}.`}
        </small>
        {words !== undefined && <small>{words}</small>}
        {state === 'bucket' && progress?.is !== 'done' && (
          <TextInput
            size="xs"
            label="Bucket"
            aria-label={`Bucket of ${name}`}
            value={bucket}
            disabled={isBusy}
            onChange={(event) => onBucket(event.currentTarget.value)}
          />
        )}
        {progress?.is === 'failed' && (
          <div className={classes.failed} role="alert">
            {progress.message}
            <Button size="xs" disabled={isBusy} onClick={onAnyway} aria-label={`Link ${name} anyway`}>
              Link anyway
            </Button>
          </div>
        )}
      </div>
      <span className={classes.state}>
        {progress ? (
          <State progress={progress} />
        ) : state === 'authorize' && route !== undefined ? (
          <Button size="xs" component={PathLink} href={`/links/${route}`} aria-label={`Sign in at ${title}`}>
            Sign in
          </Button>
        ) : (
          state === 'unsupported' && <small>Not supported</small>
        )}
      </span>
    </li>
  );
}

function State({ progress }: { progress: Progress }): ReactNode {
  if (progress.is === 'waiting') return <small>Waiting</small>;
  if (progress.is === 'working') return <Loader size={16} aria-label="Connecting" />;
  if (progress.is === 'failed') return <small>Not linked</small>;
  return (
    <PathLink className={classes.done} href={progress.browseUrl}>
      <IconCircleCheck size={16} stroke={1.75} aria-hidden="true" />
      Open {progress.linkName}
    </PathLink>
  );
}
