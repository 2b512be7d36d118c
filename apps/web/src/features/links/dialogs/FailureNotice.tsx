import { Button } from '@mantine/core';
import { certificateRules } from '@sheaf/contract';
import { Notice } from '#/ui/feedback/Notice.tsx';
import type { LinkForm } from './use-link-form.ts';
import classes from './dialogs.module.css';

type Props = { linkForm: LinkForm; /** Names of the fields in sight, which show their own failures. */ shown: readonly string[] };

/** Above the buttons: what is being waited for, or a failure without a visible field; yellow when the user may continue anyway. */
export function FailureNotice({ linkForm: { failure, submit, busy, wait }, shown }: Props) {
  if (wait !== undefined)
    return (
      <p className={classes.wait} role="status">
        {wait}
      </p>
    );
  if (failure === undefined || (failure.field !== undefined && shown.includes(failure.field))) return null;
  const { text, reason, hostKey, certificate, movedTo, canContinue: asks } = failure;
  return (
    <Notice kind={asks ? 'note' : 'error'} inDialog>
      {!asks && <p>{text}</p>}
      {reason !== undefined && <p className={classes.reason}>{reason}</p>}
      {asks && <p>{text}</p>}
      {certificate !== undefined && (
        <div className={classes.fingerprint}>
          SHA-256 fingerprint of the certificate: <code>{certificate}</code>
        </div>
      )}
      {hostKey !== undefined && (
        <Button className={classes.accept} size="xs" disabled={busy} onClick={() => submit({ acceptedHostKey: hostKey })}>
          Accept the new key
        </Button>
      )}
      {certificate !== undefined && (
        <Button
          className={classes.accept}
          size="xs"
          disabled={busy}
          onClick={() => submit({ enforceSSL: certificateRules.ignore, acceptedCertificate: certificate })}
        >
          Trust this certificate
        </Button>
      )}
      {movedTo !== undefined && (
        <Button className={classes.accept} size="xs" disabled={busy} onClick={() => submit({ server: movedTo, destinationUrl: '' })}>
          Use this address
        </Button>
      )}
    </Notice>
  );
}
