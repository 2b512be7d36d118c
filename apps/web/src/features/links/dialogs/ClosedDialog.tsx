import { Button } from '@mantine/core';
import { closedSentence } from '#/lib/http/screen-text.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { logoUrl } from '../rows.ts';
import { SourceLogo } from '../SourceLogo.tsx';
import type { LinkDialogProps } from './LinkDialog.tsx';

/** Replaces the dialog of a service that can no longer be linked, and says why. */
export function ClosedDialog({ source, link, targets, asPage = false, onLeave }: LinkDialogProps) {
  const leave = (): void => onLeave(targets.cancel);
  return (
    <Dialog
      title={link === undefined ? `Link ${source.title}` : `Edit ${link.name}`}
      sentence={closedSentence(source)}
      logo={<SourceLogo src={logoUrl(source.provider)} size={40} faded />}
      asPage={asPage}
      onClose={leave}
    >
      <DialogButtons>
        <Button variant="filled" onClick={leave} data-autofocus>
          Back
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
