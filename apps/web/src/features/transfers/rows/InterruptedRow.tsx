import { IconArrowRight, IconDeviceLaptop, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { formatSize } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { gatherChosen } from '#/lib/uploads/gather-files.ts';
import { type Interrupted, continueByHandles, continueWith, discardInterrupted } from '#/lib/uploads/kept/interrupted.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import classes from '../TransfersDrawer.module.css';

/** What a batch is called: its file, its folder, or how many files it has. */
function nameOf({ files, isFolder }: Interrupted): string {
  const [first] = files;
  if (isFolder) return first?.path.split('/')[0] ?? '';
  return files.length === 1 ? (first?.path ?? '') : `${files.length} files`;
}

/** Uploads that a reload has interrupted: the user continues them, by choosing the files again where the browser could not keep them. */
export function InterruptedRow({ batch }: { batch: Interrupted }) {
  const input = useRef<HTMLInputElement>(null);
  const { files, isFolder, target, hasHandles } = batch;
  const name = nameOf(batch);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const run = (work: Promise<void>): void => void work.catch((error: unknown) => notifyError(errorText(error)));
  return (
    <li className={classes.transfer} data-state="interrupted">
      <FileIcon kind={isFolder ? 'folder' : fileKindOf({ name })} size={20} />
      <div className={classes.what}>
        <div className={classes.title} title={name}>
          {name}
        </div>
        <div className={classes.way}>
          <IconDeviceLaptop size={14} stroke={1.75} aria-hidden="true" />
          <span>This computer</span>
          <IconArrowRight size={14} stroke={2} aria-label="to" />
          <span className={classes.place}>{target.name}</span>
        </div>
      </div>
      <div className={classes.actions}>
        <IconButton
          small
          label={`Continue ${name}`}
          withTooltip={false}
          onClick={() => (hasHandles ? run(continueByHandles(batch)) : input.current?.click())}
        >
          <IconPlayerPlay size={16} stroke={1.75} />
        </IconButton>
        <IconButton small label={`Discard ${name}`} withTooltip={false} onClick={() => run(discardInterrupted(batch))}>
          <IconX size={16} stroke={1.75} />
        </IconButton>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          {...(isFolder && { webkitdirectory: '' })}
          aria-label={`Choose ${name} again`}
          onChange={({ currentTarget }) => run(continueWith(batch, gatherChosen([...(currentTarget.files ?? [])])))}
        />
      </div>
      <div className={classes.figures}>
        {files.length > 1 && <span>{files.length} files left</span>}
        <span>{formatSize(bytes)}</span>
        <span>
          {hasHandles
            ? 'Continue where it stopped'
            : `Choose the ${isFolder ? 'folder' : files.length === 1 ? 'file' : 'files'} again to continue`}
        </span>
      </div>
    </li>
  );
}
