import { Button } from '@mantine/core';
import { useResendVerification, useUpdateMember } from '#/features/accounts/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import classes from '../profile.module.css';

/** An address that waits for confirmation; until then the current one stays. */
export function PendingEmail({ email, current }: { email: string; current: string }) {
  const resend = useResendVerification();
  const update = useUpdateMember();
  const error = resend.error ?? update.error;
  const cancel = (): void => update.mutate({ newEmail: current }, { onSuccess: () => notifyDone(`Your address stays ${current}.`) });
  return (
    <div className={classes.stack}>
      <p className={classes.waiting}>
        <b>{email}</b> waits to be confirmed. Until then you sign in with {current}.
      </p>
      {error && <Notice kind="error">{errorText(error)}</Notice>}
      <div className={classes.row}>
        <Button
          loading={resend.isPending}
          onClick={() => resend.mutate(undefined, { onSuccess: () => notifyDone('The message was sent.') })}
        >
          Send again
        </Button>
        <Button loading={update.isPending} onClick={cancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
