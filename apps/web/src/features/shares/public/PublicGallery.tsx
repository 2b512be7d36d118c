import type { PublicItem } from '@sheaf/contract';
import { fileKindOf } from '#/lib/files/file-kind.ts';
import { FileIcon } from '#/ui/FileIcon.tsx';
import { FilePicture } from '#/ui/FilePicture.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { itemHref } from './item-href.ts';
import type { ShareAddress } from './share-address.ts';
import classes from './public.module.css';

/** Pixels of thumbnails: twice the cell's, for high-density screens. */
const pictureSize = 512;

/** A shared folder's items as a grid of pictures. */
export function PublicGallery({ place, items }: { place: ShareAddress; items: readonly PublicItem[] }) {
  return (
    <ul className={classes.gallery} aria-label="Items">
      {items.map((item) => (
        <li key={item.path}>
          <PathLink className={classes.card} href={itemHref(place, item)}>
            <span className={classes.frame}>
              <FilePicture
                thumbnailUrl={item.thumbnailUrl}
                size={pictureSize}
                instead={<FileIcon kind={fileKindOf(item)} size={48} />}
                className={classes.picture}
              />
            </span>
            <span className={classes.caption}>{item.name}</span>
          </PathLink>
        </li>
      ))}
    </ul>
  );
}
