import { Button } from '@mantine/core';
import type { PickerQuery } from '@sheaf/contract';
import { useState } from 'react';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { FolderTree } from './FolderTree.tsx';
import { type Step, locationOf } from './location.ts';
import { MergeDialog } from './MergeDialog.tsx';
import { NoSubscriptionDialog } from './NoSubscriptionDialog.tsx';
import { useCancel, useChoose } from './queries.ts';
import classes from './picker.module.css';

const instructions = {
  backup: 'Choose the folder where your backup will be stored.',
  sync: 'Choose the folder to sync your external folder with.',
} as const;

type Props = PickerQuery & {
  title?: string;
  /** The user's name for what is backed up or synced. */
  name: string | undefined;
};

/** Chooses a folder of any link for a program: down by clicks, up by BACK. */
export function FolderPicker({ processToken, action, evaluateMerge, name, title = 'Select Folder' }: Props) {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const { destinationPath, linkUri } = locationOf(steps);
  const choose = useChoose(processToken);
  const cancel = useCancel(processToken);
  const isBusy = choose.isPending || cancel.isPending;
  const hasNoSubscription = choose.error instanceof CallError && choose.error.is('NO_BACKUP_SUBSCRIPTION');

  const go = (next: readonly Step[]): void => {
    setSteps(next);
    choose.reset();
  };
  const end = (): void => cancel.mutate(undefined, { onError: (error) => notifyError(errorText(error)) });

  return (
    <>
      <Dialog asPage title={title} sentence={instructions[action]} busy={isBusy} onClose={end}>
        {name !== undefined && <p className={classes.name}>{name}</p>}
        <FolderTree steps={steps} onSteps={go} isBusy={isBusy} wayUp="back" />
        {choose.error && !hasNoSubscription && (
          <Notice kind="error" inDialog>
            {errorText(choose.error)}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="subtle" disabled={isBusy} onClick={end}>
            Cancel
          </Button>
          <Button
            variant="filled"
            disabled={destinationPath === '' || isBusy}
            loading={choose.isPending}
            onClick={() => choose.mutate({ destinationPath, linkUri, evaluateMerge })}
          >
            Okay
          </Button>
        </DialogButtons>
      </Dialog>
      {choose.data === 'notEmpty' && (
        <MergeDialog
          path={destinationPath}
          onMerge={() => choose.mutate({ destinationPath, linkUri, evaluateMerge: false })}
          onOther={choose.reset}
        />
      )}
      {hasNoSubscription && <NoSubscriptionDialog onClose={choose.reset} />}
    </>
  );
}
