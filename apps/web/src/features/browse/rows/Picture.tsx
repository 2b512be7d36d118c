import type { Item } from '@sheaf/contract';
import { useState } from 'react';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';

type Props = {
  item: Item;
  /** Edge of the picture in device pixels. */
  size: number;
  /** Edge of the icon in px. */
  iconSize?: number;
  className: string | undefined;
};

/** An item's thumbnail, or the icon of its kind. */
export function Picture({ item, size, iconSize, className }: Props) {
  const [failed, setFailed] = useState<string>();
  const { thumbnailUrl } = item;
  if (thumbnailUrl === undefined || failed === thumbnailUrl) {
    return <FileIcon kind={fileKindOf(item)} {...(iconSize === undefined ? {} : { size: iconSize })} />;
  }
  return (
    <img
      className={className}
      src={`${thumbnailUrl}&size=${size}`}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setFailed(thumbnailUrl)}
    />
  );
}
