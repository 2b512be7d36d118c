import { IconArrowRight, IconDeviceLaptop, IconX } from '@tabler/icons-react';
import { formatDuration, formatSize } from '#/lib/format.ts';
import { pageUploads } from '#/lib/uploads/page-uploads.ts';
import { type Upload, openPercent } from '#/lib/uploads/uploads.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { ProgressTrack } from '#/ui/ProgressTrack.tsx';
import classes from '../TransfersDrawer.module.css';

type Props = {
  name: string;
  /** Its files in this section of the drawer. */
  uploads: readonly Upload[];
  /** All uploads of the page: the folder's progress includes finished files. */
  all: readonly Upload[];
};

/** An uploaded folder: progress of its files and bytes, and one button that cancels the rest. */
export function FolderRow({ name, uploads, all }: Props) {
  const [first] = uploads;
  const whole = all.filter(({ batch, folder }) => batch === first?.batch && folder === name);
  const done = whole.filter(({ state }) => state === 'done').length;
  const size = whole.reduce((sum, { file }) => sum + file.size, 0);
  const sent = whole.reduce((sum, upload) => sum + (upload.state === 'done' ? upload.file.size : upload.sent), 0);
  const rate = whole.reduce((sum, upload) => sum + (upload.rate ?? 0), 0);
  const percent = openPercent(size === 0 ? done / whole.length : sent / size);
  const isOpen = uploads.some(({ state }) => state !== 'done' && state !== 'failed');
  return (
    <li className={classes.transfer} data-state={isOpen ? 'running' : first?.state}>
      <FileIcon kind="folder" size={20} />
      <div className={classes.what}>
        <div className={classes.title} title={name}>
          {name}
        </div>
        <div className={classes.way}>
          <IconDeviceLaptop size={14} stroke={1.75} aria-hidden="true" />
          <span>This computer</span>
          <IconArrowRight size={14} stroke={2} aria-label="to" />
          <span className={classes.place}>{first?.place.name}</span>
        </div>
      </div>
      <div className={classes.actions}>
        {isOpen && (
          <IconButton
            small
            label={`Cancel ${name}`}
            withTooltip={false}
            onClick={() => pageUploads.cancel(new Set(uploads.map(({ id }) => id)))}
          >
            <IconX size={16} stroke={1.75} />
          </IconButton>
        )}
      </div>
      {isOpen && <ProgressTrack className={classes.track} label={name} percent={percent} />}
      <div className={classes.figures}>
        {isOpen && <b>{percent} %</b>}
        <span>{isOpen ? `${done} of ${whole.length} files` : `${uploads.length} files`}</span>
        {isOpen && rate > 0 && <span className={classes.left}>{formatDuration((size - sent) / rate)} left</span>}
        {!isOpen && <span>{formatSize(uploads.reduce((sum, { file }) => sum + file.size, 0))}</span>}
      </div>
    </li>
  );
}
