import { IconCheck, IconRefresh, IconUpload, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useFileDrops } from '#/lib/files/file-drops.ts';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { gatherDropped } from '#/lib/uploads/gather-files.ts';
import { UploadFigures } from '#/lib/uploads/UploadFigures.tsx';
import { type Upload, percentOf } from '#/lib/uploads/uploads.ts';
import { Button } from '#/ui/button/Button.tsx';
import { Notifications } from '#/ui/feedback/Notifications.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { ProgressTrack } from '#/ui/ProgressTrack.tsx';
import { PublicShell } from '../PublicShell.tsx';
import { type ShareUploads, createShareUploads } from './share-uploads.ts';
import shared from '../public.module.css';
import classes from './upload.module.css';

/** A folder into which visitors upload, and of which they see nothing. */
export function PublicUpload({ weblinkId, name }: { weblinkId: string; name: string }) {
  const [uploads] = useState(() => createShareUploads(weblinkId));
  const list = useSyncExternalStore(uploads.subscribe, uploads.list);
  const field = useRef<HTMLInputElement>(null);
  const isBusy = list.some(({ state }) => state === 'running' || state === 'waiting');
  useEffect(() => {
    if (!isBusy) return;
    const stay = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', stay);
    return () => window.removeEventListener('beforeunload', stay);
  }, [isBusy]);
  const drop = (items: DataTransferItemList): void => {
    gatherDropped(items).then(
      ({ files }) => uploads.addFiles(files.map(({ file }) => file)),
      // A dropped item that the browser cannot read.
      (error: unknown) => notifyError(errorText(error)),
    );
  };
  const over = useFileDrops({ text: `Drop to add to ${name}`, onDrop: drop });
  const added = list.filter(({ state }) => state === 'done').length;
  return (
    <PublicShell>
      <header className={shared.header}>
        <span className={shared.big}>
          <IconUpload size={28} stroke={1.5} aria-hidden="true" />
        </span>
        <div className={shared.title}>
          <h1>{name}</h1>
          <p>Add files to this folder. You see nothing of what is in it.</p>
        </div>
      </header>
      <section className={classes.target} data-over={over !== undefined || undefined} aria-label="Add files">
        <p>{over ?? 'Drop files or folders here, or choose them.'}</p>
        <input
          ref={field}
          type="file"
          multiple
          hidden
          aria-label="Files to add"
          onChange={({ currentTarget }) => {
            uploads.addFiles([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
        <Button variant="filled" leftSection={<IconUpload size={16} stroke={1.75} />} onClick={() => field.current?.click()}>
          Choose files
        </Button>
      </section>
      <p className={classes.sum} role="status">
        {sumOf(added, list.length)}
      </p>
      <ul className={classes.list} aria-label="Your files">
        {list.map((upload) => (
          <Row key={upload.id} upload={upload} uploads={uploads} />
        ))}
      </ul>
      <Notifications />
    </PublicShell>
  );
}

function sumOf(added: number, total: number): string {
  if (total === 0) return '';
  if (added < total) return `${added.toLocaleString()} of ${total.toLocaleString()} added`;
  return total === 1 ? 'Your file was added. Thank you.' : `All ${total.toLocaleString()} files were added. Thank you.`;
}

function Row({ upload, uploads }: { upload: Upload; uploads: ShareUploads }) {
  const { id, file, state } = upload;
  const percent = percentOf(upload);
  return (
    <li className={classes.row} data-state={state}>
      <FileIcon kind={fileKindOf({ name: file.name, mimeType: file.type })} size={20} />
      <span className={classes.name} title={file.name}>
        {file.name}
      </span>
      <span className={classes.figures}>
        {state === 'done' ? (
          <>
            <IconCheck size={16} stroke={2} role="img" aria-label="Added" />
            {formatSize(file.size)}
          </>
        ) : (
          <UploadFigures upload={upload} />
        )}
      </span>
      <span className={classes.actions}>
        {state === 'failed' && (
          <IconButton small label={`Retry ${file.name}`} withTooltip={false} onClick={() => uploads.retry(id)}>
            <IconRefresh size={16} stroke={1.75} />
          </IconButton>
        )}
        {state !== 'done' && (
          <IconButton
            small
            label={`${state === 'failed' ? 'Remove' : 'Cancel'} ${file.name}`}
            withTooltip={false}
            onClick={() => uploads.remove(id)}
          >
            <IconX size={16} stroke={1.75} />
          </IconButton>
        )}
      </span>
      {state === 'running' && <ProgressTrack className={classes.track} label={file.name} percent={percent} />}
    </li>
  );
}
