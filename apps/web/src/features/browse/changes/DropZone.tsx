import { IconBan, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFileDrops } from '#/lib/files/file-drops.ts';
import classes from '../browse.module.css';

type Props = { name: string; isOpen: boolean; onDrop: (items: DataTransferItemList) => void; children: ReactNode };

/** Takes files and folders dropped anywhere in the window, or says that this folder takes no uploads. */
export function DropZone({ name, isOpen, onDrop, children }: Props) {
  const text = isOpen ? `Drop to upload to ${name}` : `Nothing can be uploaded to ${name}`;
  const over = useFileDrops({ text, onDrop: isOpen ? onDrop : undefined });
  const Icon = isOpen ? IconUpload : IconBan;
  return (
    <div className={classes.drop}>
      {children}
      {over !== undefined && (
        <div className={classes.over} role="status">
          <Icon size={24} stroke={1.5} aria-hidden="true" />
          {over}
        </div>
      )}
    </div>
  );
}
