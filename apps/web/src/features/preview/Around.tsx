import { useEffect, useRef } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { FilePicture } from '#/ui/FilePicture.tsx';
import classes from './Preview.module.css';

/** Thumbnails of the neighbouring pictures. */
export function Around({ files, current, onGo }: { files: readonly Previewed[]; current: string; onGo: (file: Previewed) => void }) {
  const shown = useRef<HTMLButtonElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [current]);
  return (
    <nav className={classes.around} aria-label="Pictures in this folder">
      {files.map((file) => (
        <button
          key={file.key}
          ref={file.key === current ? shown : null}
          type="button"
          className={classes.small}
          aria-label={file.name}
          aria-current={file.key === current || undefined}
          onClick={() => onGo(file)}
        >
          <FilePicture
            thumbnailUrl={file.thumbnailUrl}
            size={256}
            instead={<FileIcon kind={fileKindOf({ name: file.name, mimeType: file.mimeType })} />}
          />
        </button>
      ))}
    </nav>
  );
}
