import { Button } from '@mantine/core';
import { Notice } from '#/ui/Notice.tsx';
import type { LinkForm } from './use-link-form.ts';
import classes from './dialogs.module.css';

type Props = { linkForm: LinkForm; /** Names of the fields in sight, which show their own failures. */ shown: readonly string[] };

/** Over the buttons: the failure that belongs to no field in sight; yellow when the user may go on in spite of it. */
export function FailureNotice({ linkForm: { failure, submit, busy }, shown }: Props) {
  if (failure === undefined || (failure.field !== undefined && shown.includes(failure.field))) return null;
  const { text, reason, hostKey } = failure;
  return (
    <Notice kind={failure.canContinue ? 'note' : 'error'} inDialog>
      {reason !== undefined && <p className={classes.reason}>{reason}</p>}
      <p>{text}</p>
      {hostKey !== undefined && (
        <Button className={classes.accept} size="xs" disabled={busy} onClick={() => submit({ acceptedHostKey: hostKey })}>
          Accept the new key
        </Button>
      )}
    </Notice>
  );
}
