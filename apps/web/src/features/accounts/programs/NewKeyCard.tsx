import { Button } from '@mantine/core';
import type { AppPassword } from '@sheaf/contract';
import { IconKey } from '@tabler/icons-react';
import { sftpCommand } from './sftp-steps.ts';
import { Value } from './Values.tsx';
import { keyWords, rightsWords } from './words.ts';
import classes from './programs.module.css';

type Props = {
  added: AppPassword;
  /** Where SFTP is offered. */
  sftp: { readonly host: string; readonly port: number };
  onDone: () => void;
};

/** The steps for signing in with a key that was just added. */
export function NewKeyCard({ added, sftp, onDone }: Props) {
  return (
    <div className={classes.fresh} role="status">
      <p className={classes.freshHead}>
        <IconKey size={18} stroke={1.75} aria-hidden="true" />
        <span>
          <b>{added.name}</b> can {rightsWords(added).toLowerCase()}. It signs in with a user name of its own.
        </span>
        <Button size="xs" onClick={onDone}>
          Done
        </Button>
      </p>
      <dl>
        <Value name="User name" text={added.username} />
        <Value name="Fingerprint" text={keyWords(added)} />
        <Value name="Command" text={sftpCommand({ ...sftp, username: added.username })} />
      </dl>
    </div>
  );
}
