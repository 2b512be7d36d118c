import { Button } from '@mantine/core';
import { Dialog, DialogButtons } from '#/ui/Dialog.tsx';
import { logoUrl } from '../rows.ts';
import { SourceLogo } from '../SourceLogo.tsx';
import type { LinkDialogProps } from './LinkDialog.tsx';
import classes from './dialogs.module.css';

/** Stands where the dialog of a service would be that has ended: says so. */
export function ClosedDialog({ source, link, targets, asPage = false, onLeave }: LinkDialogProps) {
  const leave = (): void => onLeave(targets.cancel);
  return (
    <Dialog
      title={link === undefined ? `Link ${source.title}` : `Edit ${link.name}`}
      sentence={source.sentence}
      logo={<SourceLogo src={logoUrl(source.provider)} size={40} faded />}
      asPage={asPage}
      onClose={leave}
    >
      <p className={classes.later}>{source.closed} There is nothing left to link.</p>
      <DialogButtons>
        <Button variant="filled" onClick={leave} data-autofocus>
          Back
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
