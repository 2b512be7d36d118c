import { IconArrowRight, IconDeviceLaptop, IconFolderSymlink, IconRefresh, IconX } from '@tabler/icons-react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { pageUploads } from '#/lib/uploads/page-uploads.ts';
import { UploadFigures } from '#/lib/uploads/UploadFigures.tsx';
import { type Upload, percentOf } from '#/lib/uploads/uploads.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { ProgressTrack } from '#/ui/ProgressTrack.tsx';
import classes from '../TransfersDrawer.module.css';

/** A running upload: name, source, target, progress, rate, time left. */
export function TransferRow({ upload }: { upload: Upload }) {
  const { id, file, place, state } = upload;
  const go = useGo();
  const percent = percentOf(upload);
  return (
    <li className={classes.transfer} data-state={state}>
      <FileIcon kind={fileKindOf({ name: file.name, mimeType: file.type })} size={20} />
      <div className={classes.what}>
        <div className={classes.title} title={file.name}>
          {file.name}
        </div>
        <div className={classes.way}>
          <IconDeviceLaptop size={14} stroke={1.75} aria-hidden="true" />
          <span>This computer</span>
          <IconArrowRight size={14} stroke={2} aria-label="to" />
          <span className={classes.place}>{place.name}</span>
        </div>
      </div>
      <div className={classes.actions}>
        {state === 'failed' && (
          <IconButton small label={`Retry ${file.name}`} withTooltip={false} onClick={() => pageUploads.retry(id)}>
            <IconRefresh size={16} stroke={1.75} />
          </IconButton>
        )}
        {state === 'done' ? (
          <IconButton small label={`Show ${file.name} in folder`} withTooltip={false} onClick={() => go(place.href)}>
            <IconFolderSymlink size={16} stroke={1.75} />
          </IconButton>
        ) : (
          <IconButton
            small
            label={`${state === 'failed' ? 'Remove' : 'Cancel'} ${file.name}`}
            withTooltip={false}
            onClick={() => pageUploads.remove(id)}
          >
            <IconX size={16} stroke={1.75} />
          </IconButton>
        )}
      </div>
      {state === 'running' && <ProgressTrack className={classes.track} label={file.name} percent={percent} />}
      <div className={classes.figures}>
        <UploadFigures upload={upload} leftClass={classes.left} />
      </div>
    </li>
  );
}
