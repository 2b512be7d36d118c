import type { PublicItem } from '@sheaf/contract';
import { useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import classes from './public.module.css';

/** An item's thumbnail of about `size` pixels, or the icon of its kind. */
export function ItemPicture({ item, size, icon = 22 }: { item: PublicItem; size: number; icon?: number }) {
  const [failed, setFailed] = useState<string>();
  const { thumbnailUrl } = item;
  if (thumbnailUrl === undefined || failed === thumbnailUrl) return <FileIcon kind={fileKindOf(item)} size={icon} />;
  return (
    <img
      className={classes.picture}
      src={`${thumbnailUrl}&size=${size}`}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailed(thumbnailUrl)}
    />
  );
}
