import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';

type Props = {
  title: string;
  /** What will be charged, or will happen. */
  children: ReactNode;
  confirm: string;
  busy: boolean;
  error: Error | null;
  /** Whether the action removes something. */
  isDanger?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** States the cost of an action before it happens; shows its error. */
export function AgreeDialog({ title, children, confirm, busy, error, isDanger = false, onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} sentence={children} busy={busy} onClose={onClose}>
      {error && (
        <Notice kind="error" inDialog>
          {errorText(error)}
        </Notice>
      )}
      <DialogButtons>
        <Button variant={isDanger ? 'default' : 'subtle'} disabled={busy} onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button variant={isDanger ? 'danger' : 'filled'} loading={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
