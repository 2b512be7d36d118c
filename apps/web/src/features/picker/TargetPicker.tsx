import { UnstyledButton } from '@mantine/core';
import { type Item, encryptionRootUri } from '@sheaf/contract';
import { IconFolderPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useEncryptionRoot } from '#/lib/encryption.ts';
import type { TargetPickerProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { screenText } from '#/lib/http/screen-text.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { EncryptedFolders } from './EncryptedFolders.tsx';
import { FolderList } from './FolderList.tsx';
import { type Step, stepsTo } from './location.ts';
import { moveFocus } from './move-focus.ts';
import { foldersOf, linkFolders, useAddFolder } from './queries.ts';
import { Trail } from './Trail.tsx';
import classes from './TargetPicker.module.css';

/** Links and recent targets at the left, folders at the right; the open folder is the target. */
export function TargetPicker({ recent, onChoose, disabled }: TargetPickerProps) {
  const links = useQuery(linkFolders);
  const encryptionRoot = useEncryptionRoot();
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [renaming, setRenaming] = useState<Item>();
  const folders = useRef<HTMLDivElement>(null);
  /** Whether the open folder was reached from its list, whose focus then goes on in the new one. */
  const isFollowed = useRef(false);
  const add = useAddFolder();
  const linkUri = steps.at(-1)?.linkUri ?? '';
  const isFolder = linkUri !== '' && linkUri !== encryptionRootUri;
  const listing = useInfiniteQuery({ ...foldersOf(linkUri), enabled: isFolder });
  const can = listing.data?.pages[0]?.can;
  const canWrite = can?.includes('write');
  const roots = [...(links.data ?? []), ...(encryptionRoot ? [{ ...encryptionRoot, iconUrl: undefined }] : [])];
  const targets = recent.flatMap((uri) => {
    const way = stepsTo(uri, links.data ?? []);
    return way ? [{ uri, way, names: way.map(({ name }) => name) }] : [];
  });

  useEffect(
    () => onChoose(isFolder ? { linkUri, names: steps.map(({ name }) => name), canWrite } : undefined),
    // oxlint-disable-next-line react/exhaustive-deps -- tells of the open folder and what it allows, not of a new function
    [linkUri, isFolder, canWrite],
  );
  useEffect(() => {
    if (!isFollowed.current || listing.isPending) return;
    isFollowed.current = false;
    folders.current?.querySelector<HTMLElement>('ul button')?.focus();
  }, [listing.isPending, linkUri]);

  const go = (next: readonly Step[], isOn = false): void => {
    isFollowed.current = isOn;
    setRenaming(undefined);
    setSteps(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (moveFocus(event)) return;
    if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && steps.length > 1 && event.target instanceof HTMLButtonElement) {
      event.preventDefault();
      go(steps.slice(0, -1), true);
    }
  };
  const addHere = (): void =>
    add.mutate(linkUri, {
      onSuccess: setRenaming,
      onError: (error) => notifyError(screenText('ADD_FOLDER_FAILED', { message: errorText(error) })),
    });

  return (
    <div className={classes.picker}>
      <div className={classes.places} onKeyDown={moveFocus}>
        {targets.length > 0 && (
          <Places title="Recent targets">
            {targets.map(({ uri, way, names }) => (
              <Place key={uri} isOpen={uri === linkUri} title={names.join(' / ')} disabled={disabled} onClick={() => go(way)}>
                <FileIcon kind="folder" size={16} />
                <span>{names.slice(-2).join(' / ')}</span>
              </Place>
            ))}
          </Places>
        )}
        <Places title="Links">
          {links.error && (
            <ErrorState title="Your links cannot be shown" message={errorText(links.error)} onRetry={() => void links.refetch()} />
          )}
          {links.isPending && <SkeletonRows count={4} height={30} tile={18} />}
          {roots.map(({ name, linkUri: uri, iconUrl }) => (
            <Place
              key={uri}
              isOpen={uri === steps[0]?.linkUri}
              title={name}
              disabled={disabled}
              onClick={() => go([{ name, linkUri: uri }])}
            >
              {iconUrl === undefined ? <FileIcon kind="folder" size={16} /> : <img src={iconUrl} width={20} height={20} alt="" />}
              <span>{name}</span>
            </Place>
          ))}
        </Places>
      </div>
      <div className={classes.path}>
        {steps.length === 0 ? <span className={classes.hint}>Choose a link</span> : <Trail steps={steps} onGo={go} withoutTop />}
        <UnstyledButton
          className={classes.add}
          disabled={can?.includes('createFolder') !== true || add.isPending || disabled}
          onClick={addHere}
        >
          <IconFolderPlus size={18} stroke={1.75} aria-hidden="true" />
          <span>New folder</span>
        </UnstyledButton>
      </div>
      <div className={classes.folders} ref={folders} onKeyDown={onKeyDown}>
        {steps.length === 0 ? (
          <EmptyState title="No folder is chosen yet">Choose a link or a recent target, then the folder.</EmptyState>
        ) : isFolder ? (
          <FolderList
            key={linkUri}
            linkUri={linkUri}
            renaming={renaming}
            onRenamed={() => setRenaming(undefined)}
            onOpen={(step) => go([...steps, step], true)}
          />
        ) : (
          <EncryptedFolders onOpen={(step) => go([...steps, step], true)} />
        )}
      </div>
    </div>
  );
}

function Places({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

type PlaceProps = { isOpen: boolean; title: string; disabled: boolean; onClick: () => void; children: ReactNode };

function Place({ isOpen, children, ...button }: PlaceProps) {
  return (
    <UnstyledButton {...button} className={classes.place} aria-current={isOpen ? 'true' : undefined}>
      {children}
    </UnstyledButton>
  );
}
