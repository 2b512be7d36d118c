import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { directoryOf } from '#/features/preview/queries.ts';
import { Waiting } from '#/features/preview/Waiting.tsx';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import type { Previewed } from '#/lib/files/previewing.ts';
import { formatSize } from '#/lib/format.ts';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { FileIcon } from '#/ui/FileIcon.tsx';
import classes from '../Preview.module.css';

/** The directory of an archive, read without downloading it. */
export function ArchiveView({ file, fallback }: { file: Previewed; fallback: ReactNode }) {
  const { data, error, refetch } = useQuery(directoryOf(file));
  if (error instanceof CallError && error.is('NOT_AN_ARCHIVE')) return fallback;
  if (error) {
    return (
      <div className={classes.centre}>
        <ErrorState title="This archive cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) return <Waiting />;
  const { entries, total } = data;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and is therefore reached by the keyboard
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={`Contents of ${file.name}`}>
      <div className={classes.page}>
        <p className={classes.note}>
          {total === 1 ? '1 item' : `${total} items`}
          {entries.length < total && `, the first ${entries.length} are shown`}
        </p>
        <ul className={classes.entries}>
          {entries.map(({ path, isFolder, size }, index) => (
            <li key={index}>
              <FileIcon kind={isFolder ? 'folder' : fileKindOf({ name: path })} size={18} />
              <span className={classes.path}>{path.replace(/\/$/, '')}</span>
              <span className={classes.bytes}>{isFolder ? '' : formatSize(size)}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
