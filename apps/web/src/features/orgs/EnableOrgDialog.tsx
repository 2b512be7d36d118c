import { Button } from '@mantine/core';
import { messageOf } from '#/lib/call-error.ts';
import { Dialog, DialogButtons } from '#/ui/Dialog.tsx';
import { Notice } from '#/ui/Notice.tsx';
import { useEnableOrg } from './queries.ts';

type Props = {
  /** Days of the trial that the address asked for. */
  trialDays: number | undefined;
  onDone: () => void;
  onClose: () => void;
};

/** Asks whether there is to be an organisation, makes it, and thanks. Nothing closes it while it does. */
export function EnableOrgDialog({ trialDays, onDone, onClose }: Props) {
  const enable = useEnableOrg();
  if (enable.isSuccess) {
    return (
      <Dialog title="Thank you" sentence="Your organisation is ready. Link its storage and invite your group." onClose={onDone}>
        <DialogButtons>
          <Button variant="filled" onClick={onDone} data-autofocus autoFocus>
            OK
          </Button>
        </DialogButtons>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Enable Org Access"
      sentence="Purchase for your whole group with one credit card."
      busy={enable.isPending}
      onClose={onClose}
    >
      {enable.error && (
        <Notice kind="error" inDialog>
          {messageOf(enable.error)}
        </Notice>
      )}
      <DialogButtons>
        <Button variant="subtle" disabled={enable.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button variant="filled" loading={enable.isPending} onClick={() => enable.mutate(trialDays)} data-autofocus>
          Enable
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
