import { Button } from '@mantine/core';
import type { Source } from '@sheaf/contract';
import type { ReactNode } from 'react';
import { Dialog, DialogButtons } from '#/ui/Dialog.tsx';
import { logoUrl } from '../rows.ts';
import { SourceLogo } from '../SourceLogo.tsx';
import type { LinkDialogProps } from './LinkDialog.tsx';
import classes from './dialogs.module.css';

/** Stands where a dialog will be: says plainly that this source cannot be linked, and why. */
export function LaterDialog({ source, link, targets, asPage = false, onLeave }: LinkDialogProps) {
  const leave = (): void => onLeave(targets.cancel);
  return (
    <Dialog
      title={link === undefined ? `Link ${source.title}` : `Edit ${link.name}`}
      sentence={source.sentence}
      logo={<SourceLogo src={logoUrl(source.provider)} size={40} faded />}
      asPage={asPage}
      onClose={leave}
    >
      <div className={classes.later}>{reasons(source)}</div>
      <DialogButtons>
        <Button variant="filled" onClick={leave} data-autofocus>
          Back
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function reasons({ title, closed }: Source): ReactNode {
  if (closed !== undefined) return <p>{closed} There is nothing left to link.</p>;
  return <p>{title} is not available yet. A later version of Sheaf will link it; nothing you do here is lost or sent anywhere.</p>;
}
