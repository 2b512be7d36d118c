import type { PublicItem } from '@sheaf/contract';
import { type PublicPlace, placeHref } from './place.ts';

/** Address of an item of a shared folder: a folder as a page, a file over its folder. */
export const itemHref = (place: PublicPlace, { fileType, name, path }: PublicItem): string =>
  fileType === 'FOLDER' ? placeHref({ ...place, path }) : placeHref(place, name);
