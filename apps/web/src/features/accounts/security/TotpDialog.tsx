import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { CopyText } from '#/ui/CopyText.tsx';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { QrCode } from '#/ui/QrCode.tsx';
import { useBeginTotp, useConfirmTotp } from './security-queries.ts';
import classes from '../profile.module.css';

type Props = { onDone: (recoveryCodes: readonly string[] | undefined) => void; onClose: () => void };

/** Sets up an authenticator app: the secret as QR code or text, active once a code is confirmed. */
export function TotpDialog({ onDone, onClose }: Props) {
  const { mutate: begin, data, error } = useBeginTotp();
  const confirm = useConfirmTotp();
  const [code, setCode] = useState('');
  useEffect(() => begin(undefined), [begin]);
  const submit = (): void => {
    if (code.trim() === '' || confirm.isPending) return;
    confirm.mutate(code.trim(), { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) });
  };
  return (
    <Dialog
      title="Set up an authenticator app"
      sentence="Scan the picture with the app, then enter the code that it shows."
      onClose={onClose}
      busy={confirm.isPending}
    >
      <form action={submit}>
        <DialogFields>
          {error && <Notice kind="error">{errorText(error)}</Notice>}
          {!data && !error && <SkeletonRows count={3} height={64} />}
          {data && (
            <>
              <QrCode text={data.uri} label="QR code for the authenticator app" />
              <div>
                <p className={classes.hint}>Or enter this key by hand:</p>
                <CopyText text={data.secret.replace(/(.{4})(?=.)/g, '$1 ')} label="Copy the key" />
              </div>
              <TextInput
                label="Code"
                name="totp-code"
                autoComplete="one-time-code"
                inputMode="numeric"
                placeholder="123 456"
                data-autofocus
                required
                value={code}
                error={confirm.error && errorText(confirm.error)}
                onChange={(event) => {
                  setCode(event.currentTarget.value);
                  confirm.reset();
                }}
              />
            </>
          )}
        </DialogFields>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" disabled={code.trim() === ''} loading={confirm.isPending}>
            Switch on
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
