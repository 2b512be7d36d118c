import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { NewSecrets } from './queries.ts';
import { Value } from './Values.tsx';
import { rightsWords } from './words.ts';
import classes from './programs.module.css';

/** The secrets of a new app password, until the user has stored them. */
export function NewSecretsCard({ made, onStored }: { made: NewSecrets; onStored: () => void }) {
  const { appPassword, username, password, accessKeyId, secretAccessKey } = made;
  return (
    <div className={classes.fresh} role="status">
      <p className={classes.freshHead}>
        <IconKey size={18} stroke={1.75} aria-hidden="true" />
        <span>
          <b>{appPassword.name}</b> can {rightsWords(appPassword).toLowerCase()}. The password is shown only once.
        </span>
        <Button size="xs" onClick={onStored}>
          I stored it
        </Button>
      </p>
      <dl>
        <Value name="User name" text={username} />
        <Value name="Password" text={password} />
        <Value name="Key ID (S3)" text={accessKeyId} />
        <Value name="Secret key (S3)" text={secretAccessKey} />
      </dl>
    </div>
  );
}
