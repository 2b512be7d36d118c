import { Button } from '@mantine/core';
import { type Item, type PickerQuery, defaultNewFolderName } from '@sheaf/contract';
import { IconArrowLeft, IconFolderPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError } from '#/lib/call-error.ts';
import { Dialog, DialogButtons } from '#/ui/Dialog.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { Notice } from '#/ui/Notice.tsx';
import { notifyError } from '#/ui/notify.ts';
import { FolderList } from './FolderList.tsx';
import { LinkList } from './LinkList.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { NoSubscriptionDialog } from './NoSubscriptionDialog.tsx';
import { type Step, placeOf } from './place.ts';
import { foldersOf, useAddFolder, useCancel, useChoose } from './queries.ts';
import classes from './picker.module.css';

const instructions = {
  backup: 'Choose the folder where your backup will be stored.',
  sync: 'Choose the folder to sync your external folder with.',
} as const;

type Props = PickerQuery & {
  title?: string;
  /** What is backed up or synced, as the user calls it. */
  name: string | undefined;
};

/** Chooses a folder of any link for a program: down through the links by clicks, up by BACK. */
export function FolderPicker({ processToken, action, evaluateMerge, name, title = 'Select Folder' }: Props) {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [renaming, setRenaming] = useState<Item>();
  const { destinationPath, linkUri, backPathExists } = placeOf(steps);
  const choose = useChoose(processToken);
  const cancel = useCancel(processToken);
  const add = useAddFolder();
  const listing = useInfiniteQuery({ ...foldersOf(linkUri), enabled: backPathExists });
  const canAdd = listing.data?.pages[0]?.can?.includes('createFolder') === true;
  const isBusy = choose.isPending || cancel.isPending;
  const hasNoSubscription = choose.error instanceof CallError && choose.error.is('NO_BACKUP_SUBSCRIPTION');

  const go = (next: readonly Step[]): void => {
    setSteps(next);
    setRenaming(undefined);
    choose.reset();
  };
  const end = (): void => cancel.mutate(undefined, { onError: ({ message }) => notifyError(message) });
  const addHere = (): void =>
    add.mutate(linkUri, {
      onSuccess: setRenaming,
      onError: ({ message }) => notifyError(`Cannot add folder ${defaultNewFolderName}. ${message}`),
    });

  return (
    <>
      <Dialog asPage title={title} sentence={instructions[action]} busy={isBusy} onClose={end}>
        {name !== undefined && <p className={classes.name}>{name}</p>}
        <div className={classes.bar}>
          <Button
            size="xs"
            leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />}
            disabled={!backPathExists || isBusy}
            onClick={() => go(steps.slice(0, -1))}
          >
            BACK
          </Button>
          <span className={classes.here}>{steps.at(-1)?.name ?? 'SELECT FOLDER'}</span>
          <IconButton label="Add folder" disabled={!canAdd || add.isPending || isBusy} onClick={addHere}>
            <IconFolderPlus size={18} stroke={1.75} />
          </IconButton>
        </div>
        {backPathExists ? (
          <FolderList
            key={linkUri}
            linkUri={linkUri}
            renaming={renaming}
            onRenamed={() => setRenaming(undefined)}
            onOpen={(step) => go([...steps, step])}
          />
        ) : (
          <LinkList onOpen={(step) => go([step])} />
        )}
        {choose.error && !hasNoSubscription && (
          <Notice kind="error" inDialog>
            {choose.error.message}
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
