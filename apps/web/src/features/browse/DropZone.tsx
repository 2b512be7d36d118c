import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import classes from './browse.module.css';

type Props = { name: string; isOpen: boolean; onDrop: (items: DataTransferItemList) => void; children: ReactNode };

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Takes files and folders that are dropped anywhere on a folder's page. */
export function DropZone({ name, isOpen, onDrop, children }: Props) {
  const [isOver, setOver] = useState(false);
  return (
    <div
      className={classes.drop}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = isOpen ? 'copy' : 'none';
        setOver(isOpen);
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false);
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(false);
        if (isOpen) onDrop(event.dataTransfer.items);
      }}
    >
      {children}
      {isOver && (
        <div className={classes.over} role="status">
          <IconUpload size={24} stroke={1.5} aria-hidden="true" />
          Drop to upload to {name}
        </div>
      )}
    </div>
  );
}
