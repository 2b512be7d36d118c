import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEncryptionRoot } from '#/lib/encryption.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import type { Step } from './location.ts';
import { linkFolders } from './queries.ts';
import classes from './picker.module.css';

type Props = {
  onOpen: (step: Step) => void;
  /** Omits links to Spaces: a Space cannot contain another. */
  withoutSpaces: boolean;
};

/** The user's links, as the first level. */
export function LinkList({ onOpen, withoutSpaces }: Props) {
  const { data, error, refetch } = useQuery(linkFolders);
  const encryptionRoot = useEncryptionRoot();
  if (error) return <ErrorState title="Your links cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={4} height={40} tile={24} />;
  const links = withoutSpaces ? data.filter(({ isSpace }) => !isSpace) : data;
  if (links.length === 0 && !encryptionRoot) {
    return (
      <EmptyState
        title="You have not linked any storage yet."
        actions={
          <Button component={PathLink} href="/links">
            Link storage
          </Button>
        }
      />
    );
  }
  return (
    <ul className={classes.list} aria-label="Links">
      {links.map(({ name, linkUri, title }) => (
        <li key={linkUri}>
          <button type="button" className={classes.row} onClick={() => onOpen({ name, linkUri })}>
            <FileIcon kind="folder" />
            <span>{name}</span>
            <small>{title}</small>
          </button>
        </li>
      ))}
      {encryptionRoot && (
        <li>
          <button type="button" className={classes.row} onClick={() => onOpen(encryptionRoot)}>
            <FileIcon kind="folder" />
            <span>{encryptionRoot.name}</span>
          </button>
        </li>
      )}
    </ul>
  );
}
