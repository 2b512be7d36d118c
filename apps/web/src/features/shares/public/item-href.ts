import type { PublicItem } from '@sheaf/contract';
import { type PublicPlace, placeHref } from './place.ts';

/** Where an item of a shared folder opens: a folder as a page, a file over the folder it is in. */
export const itemHref = (place: PublicPlace, { fileType, name, path }: PublicItem): string =>
  fileType === 'FOLDER' ? placeHref({ ...place, path }) : placeHref(place, name);
