import type { Item } from '@sheaf/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import type { Step } from './location.ts';
import { foldersOf, useRenameFolder } from './queries.ts';
import classes from './picker.module.css';

type Props = {
  linkUri: string;
  /** The new folder that is being named; it comes first until its position is known. */
  renaming: Item | undefined;
  onRenamed: () => void;
  onOpen: (step: Step) => void;
};

/** The folders in a folder; loads more once half of them were scrolled past. */
export function FolderList({ linkUri, renaming, onRenamed, onOpen }: Props) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(foldersOf(linkUri));
  const rename = useRenameFolder(linkUri);
  if (error) return <ErrorState title="This folder cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} height={40} tile={24} />;
  const items = data.pages.flatMap((page) => page.items);
  const known = items.filter(({ fileType }) => fileType === 'FOLDER');
  const isAhead = renaming !== undefined && !known.some(({ linkUri: one }) => one === renaming.linkUri);
  const folders = isAhead ? [renaming, ...known] : known;
  if (folders.length === 0) return <EmptyState title={items.length === 0 ? 'This folder is empty.' : 'There is no folder in here.'} />;

  const named = (item: Item, newName: string | undefined): void => {
    onRenamed();
    if (newName === undefined || newName.trim() === '' || newName === item.name) return;
    rename.mutate(
      { linkUri: item.linkUri, newName },
      { onError: (error) => notifyError(`Cannot rename ${item.name}. ${errorText(error)}`) },
    );
  };
  return (
    <ul
      className={classes.list}
      aria-label="Folders"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (hasNextPage && !isFetchingNextPage && scrollTop + clientHeight > scrollHeight / 2) void fetchNextPage();
      }}
    >
      {folders.map((item) => (
        <li key={item.linkUri}>
          {item.linkUri === renaming?.linkUri ? (
            <NameField item={item} onEnd={(name) => named(item, name)} />
          ) : (
            <button type="button" className={classes.row} onClick={() => onOpen({ name: item.name, linkUri: item.linkUri })}>
              <FileIcon kind="folder" />
              <span>{item.disambiguatedName}</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Name field of a new folder. Enter and blur accept the name, Escape does not. */
function NameField({ item, onEnd }: { item: Item; onEnd: (name: string | undefined) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => field.current?.select(), []);
  const end = (name: string | undefined): void => {
    if (ended.current) return;
    ended.current = true;
    onEnd(name);
  };
  return (
    <div className={classes.row}>
      <FileIcon kind="folder" />
      <input
        ref={field}
        className={classes.field}
        aria-label="New name"
        defaultValue={item.name}
        autoComplete="off"
        spellCheck={false}
        // Escape cancels the name, not the surrounding dialog.
        data-mantine-stop-propagation="true"
        onBlur={(event) => end(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            // Prevents submitting the surrounding form.
            event.preventDefault();
            end(event.currentTarget.value);
          }
          if (event.key === 'Escape') end(undefined);
          event.stopPropagation();
        }}
      />
    </div>
  );
}
