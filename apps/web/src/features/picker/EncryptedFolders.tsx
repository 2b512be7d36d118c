import { useQuery } from '@tanstack/react-query';
import { encryptionList } from '#/lib/encryption.ts';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import type { Step } from './location.ts';
import classes from './picker.module.css';

/** The encrypted folders, whose root is among the links. */
export function EncryptedFolders({ onOpen }: { onOpen: (step: Step) => void }) {
  const folders = useQuery(encryptionList).data?.folders ?? [];
  if (folders.length === 0) return <EmptyState title="There is no encrypted folder yet." />;
  return (
    <ul className={classes.list} aria-label="Encrypted folders">
      {folders.map(({ folderOid, name, linkUri }) => (
        <li key={folderOid}>
          <button type="button" className={classes.row} onClick={() => onOpen({ name, linkUri })}>
            <FileIcon kind="folder" />
            <span>{name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
