import { type ReactNode, useState } from 'react';
import type { Previewed } from '#/lib/files/previewing.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import classes from '../Preview.module.css';

type Props = { file: Previewed; kind: 'video' | 'audio'; fallback: ReactNode; onDimensions?: (width: number, height: number) => void };

/** Video or audio with the browser's controls; seeking uses range requests. */
export function MediaView({ file, kind, fallback, onDimensions }: Props) {
  const [failed, setFailed] = useState(false);
  if (failed) return fallback;
  const src = `${file.href}&inline=true`;
  if (kind === 'audio') {
    return (
      <div className={classes.centre}>
        <FileIcon kind="audio" size={72} />
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the files are the user's own; there are no captions to give */}
        <audio className={classes.audio} src={src} controls preload="metadata" aria-label={file.name} onError={() => setFailed(true)} />
      </div>
    );
  }
  return (
    <div className={classes.centre}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the files are the user's own; there are no captions to give */}
      <video
        className={classes.video}
        src={src}
        controls
        playsInline
        preload="metadata"
        aria-label={file.name}
        poster={file.thumbnailUrl === undefined ? undefined : `${file.thumbnailUrl}&size=1024`}
        onLoadedMetadata={({ currentTarget }) => onDimensions?.(currentTarget.videoWidth, currentTarget.videoHeight)}
        onError={() => setFailed(true)}
      />
    </div>
  );
}
