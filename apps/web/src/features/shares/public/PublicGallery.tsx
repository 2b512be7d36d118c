import type { PublicItem } from '@sheaf/contract';
import { PathLink } from '#/ui/PathLink.tsx';
import { itemHref } from './item-href.ts';
import { ItemPicture } from './ItemPicture.tsx';
import type { PublicPlace } from './place.ts';
import classes from './public.module.css';

/** Pixels of thumbnails: twice the cell's, for high-density screens. */
const pictureSize = 512;

/** A shared folder's items as a grid of pictures. */
export function PublicGallery({ place, items }: { place: PublicPlace; items: readonly PublicItem[] }) {
  return (
    <ul className={classes.gallery} aria-label="Items">
      {items.map((item) => (
        <li key={item.path}>
          <PathLink className={classes.card} href={itemHref(place, item)}>
            <span className={classes.frame}>
              <ItemPicture item={item} size={pictureSize} icon={48} />
            </span>
            <span className={classes.caption}>{item.name}</span>
          </PathLink>
        </li>
      ))}
    </ul>
  );
}
