import { useEffect, useRef, useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
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
          <Small file={file} />
        </button>
      ))}
    </nav>
  );
}

/** The thumbnail, or the icon of its kind. */
function Small({ file: { name, mimeType, thumbnailUrl } }: { file: Previewed }) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <FileIcon kind={fileKindOf({ name, mimeType })} />;
  return <img src={`${thumbnailUrl}&size=256`} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setFailed(true)} />;
}
