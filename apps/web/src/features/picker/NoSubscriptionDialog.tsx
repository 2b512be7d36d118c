import { Button } from '@mantine/core';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { PathLink } from '#/ui/PathLink.tsx';

/** Says that a backup needs a subscription, and leads to it. */
export function NoSubscriptionDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="No Backup Subscription" sentence="You need a Backup subscription to use this folder." onClose={onClose}>
      <DialogButtons>
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="filled" component={PathLink} href="/add-ons/backup" data-autofocus>
          Get Backup
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
