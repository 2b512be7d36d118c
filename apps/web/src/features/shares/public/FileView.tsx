import type { PublicItem } from '@sheaf/contract';
import { useState } from 'react';
import { fileKindOf } from '#/lib/file-kind.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { EmptyState } from '#/ui/StatePanel.tsx';
import { fileHref } from './queries.ts';
import { TextView } from './TextView.tsx';
import { viewerOf } from './viewer.ts';
import classes from './public.module.css';

/** A file as the browser shows it, or what it is when it cannot. Pictures, sound and text run nothing, whatever a file holds. */
export function FileView({ weblinkId, file }: { weblinkId: string; file: PublicItem }) {
  const [hasFailed, setFailed] = useState(false);
  const viewer = hasFailed ? 'none' : viewerOf(file);
  const src = fileHref(weblinkId, file.path, true);
  const fail = (): void => setFailed(true);
  switch (viewer) {
    case 'picture':
      return <img src={src} alt={file.name} onError={fail} />;
    case 'thumbnail':
      return <img src={`${file.thumbnailUrl}&size=2048`} alt={file.name} onError={fail} />;
    case 'video':
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- whoever shared it may have none
      return <video src={src} controls preload="metadata" aria-label={file.name} onError={fail} />;
    case 'audio':
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- as above
      return <audio src={src} controls preload="metadata" aria-label={file.name} onError={fail} />;
    case 'text':
      return <TextView src={src} size={file.size} onError={fail} />;
    case 'none':
      return (
        <div className={classes.middle}>
          <EmptyState icon={<FileIcon kind={fileKindOf(file)} size={26} />} title={file.name}>
            This kind of file cannot be shown here.
          </EmptyState>
        </div>
      );
  }
}
