import { Button } from '@mantine/core';
import { useState } from 'react';
import { copyText } from '#/ui/copy-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import classes from '../profile.module.css';

/** Shows recovery codes once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog title="Your recovery codes" sentence="Each opens your account once when your app or passkey is not at hand." onClose={onClose}>
      <DialogFields>
        <ul className={classes.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </DialogFields>
      <Notice kind="note" inDialog>
        Store them now, away from this device: they are not shown again.
      </Notice>
      <DialogButtons>
        <Button onClick={() => void copyText(codes.join('\n')).then(setCopied, () => setCopied(false))}>
          {isCopied ? 'Copied' : 'Copy all'}
        </Button>
        <Button variant="filled" onClick={onClose} data-autofocus>
          I have kept them
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
