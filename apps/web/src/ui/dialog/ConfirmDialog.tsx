import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog, DialogButtons } from './Dialog.tsx';

type Props = {
  title: string;
  /** What will happen, as sentences. */
  children: ReactNode;
  logo?: ReactNode;
  confirm: string;
  cancel: string;
  /** Text of the confirming button while it works. */
  busyText?: string;
  busy?: boolean;
  /** Confirming loses nothing and can be taken back, so that its button is no warning. */
  isHarmless?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something that is easily regretted; the safe answer has the focus. */
export function ConfirmDialog({
  title,
  children,
  logo,
  confirm,
  cancel,
  busyText,
  busy = false,
  isHarmless = false,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Dialog title={title} sentence={children} logo={logo} onClose={onClose} busy={busy}>
      <DialogButtons>
        <Button onClick={onClose} disabled={busy} data-autofocus>
          {cancel}
        </Button>
        <Button
          variant={isHarmless ? 'filled' : 'danger'}
          onClick={onConfirm}
          loading={busy && busyText === undefined}
          disabled={busy && busyText !== undefined}
        >
          {busy && busyText !== undefined ? busyText : confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
