import type { PublicItem } from '@sheaf/contract';
import { type ShareAddress, shareHref } from './share-address.ts';

/** Address of an item of a shared folder: a folder as a page, a file over its folder. */
export const itemHref = (place: ShareAddress, { fileType, name, path }: PublicItem): string =>
  fileType === 'FOLDER' ? shareHref({ ...place, path }) : shareHref(place, name);
