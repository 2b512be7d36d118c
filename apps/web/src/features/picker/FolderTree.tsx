import { Button } from '@mantine/core';
import { type Item, defaultNewFolderName, encryptionRootUri } from '@sheaf/contract';
import { IconArrowLeft, IconFolderPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { IconButton } from '#/ui/IconButton.tsx';
import { EncryptedFolders } from './EncryptedFolders.tsx';
import { FolderList } from './FolderList.tsx';
import { LinkList } from './LinkList.tsx';
import { type Step, locationOf } from './location.ts';
import { foldersOf, useAddFolder } from './queries.ts';
import { Trail } from './Trail.tsx';
import classes from './picker.module.css';

type Props = {
  /** The path to the visible folder. */
  steps: readonly Step[];
  onSteps: (steps: readonly Step[]) => void;
  isBusy: boolean;
  /** Way up: BACK, or a breadcrumb. */
  wayUp: 'back' | 'breadcrumb';
  withoutSpaces?: boolean;
};

/** Folders of all links: down by clicks, up by the bar, which can also create folders. */
export function FolderTree({ steps, onSteps, isBusy, wayUp, withoutSpaces = false }: Props) {
  const [renaming, setRenaming] = useState<Item>();
  const { linkUri, backPathExists } = locationOf(steps);
  const add = useAddFolder();
  const isFolder = backPathExists && linkUri !== encryptionRootUri;
  const listing = useInfiniteQuery({ ...foldersOf(linkUri), enabled: isFolder });
  const canAdd = listing.data?.pages[0]?.can?.includes('createFolder') === true;

  const go = (next: readonly Step[]): void => {
    setRenaming(undefined);
    onSteps(next);
  };
  const addHere = (): void =>
    add.mutate(linkUri, {
      onSuccess: setRenaming,
      onError: (error) => notifyError(`Cannot add folder ${defaultNewFolderName}. ${errorText(error)}`),
    });

  return (
    <>
      <div className={classes.bar}>
        {wayUp === 'back' ? (
          <>
            <Button
              size="xs"
              leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />}
              disabled={!backPathExists || isBusy}
              onClick={() => go(steps.slice(0, -1))}
            >
              BACK
            </Button>
            <span className={classes.here}>{steps.at(-1)?.name ?? 'SELECT FOLDER'}</span>
          </>
        ) : (
          <Trail steps={steps} onGo={go} />
        )}
        <IconButton label="Add folder" disabled={!canAdd || add.isPending || isBusy} onClick={addHere}>
          <IconFolderPlus size={18} stroke={1.75} />
        </IconButton>
      </div>
      {isFolder ? (
        <FolderList
          key={linkUri}
          linkUri={linkUri}
          renaming={renaming}
          onRenamed={() => setRenaming(undefined)}
          onOpen={(step) => go([...steps, step])}
        />
      ) : backPathExists ? (
        <EncryptedFolders onOpen={(step) => go([...steps, step])} />
      ) : (
        <LinkList withoutSpaces={withoutSpaces} onOpen={(step) => go([step])} />
      )}
    </>
  );
}
