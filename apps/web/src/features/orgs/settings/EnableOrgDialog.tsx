import { Button } from '@mantine/core';
import { useEnableOrg, useHadTrial } from '#/features/orgs/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';

type Props = {
  /** Days of the trial in the address. */
  trialDays: number | undefined;
  onDone: () => void;
  onClose: () => void;
};

/** Asks whether to create an organisation, creates it, and says thanks. Cannot be closed while it creates. */
export function EnableOrgDialog({ trialDays, onDone, onClose }: Props) {
  const enable = useEnableOrg();
  const hadTrial = useHadTrial();
  if (enable.isSuccess) {
    return (
      <Dialog
        title="Thank you"
        sentence={
          enable.variables === 0
            ? 'Your organisation is made. Purchase its plan, then link its storage and invite your group.'
            : 'Your organisation is ready. Link its storage and invite your group.'
        }
        onClose={onDone}
      >
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
      {hadTrial === true && <p>You have had the free trial. This organisation begins without a plan, which you purchase on its page.</p>}
      {enable.error && (
        <Notice kind="error" inDialog>
          {errorText(enable.error)}
        </Notice>
      )}
      <DialogButtons>
        <Button variant="subtle" disabled={enable.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="filled"
          loading={enable.isPending}
          disabled={hadTrial === undefined}
          onClick={() => enable.mutate(hadTrial === true ? 0 : trialDays)}
          data-autofocus
        >
          Enable
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
