import type { Listings } from '#/listings/service.ts';
import { createBrowsing } from './browsing.ts';
import { createChanging } from './changing.ts';
import { createFiles } from './files.ts';
import type { Links } from './place.ts';
import { createThumbnails } from './thumbnails.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
}

export type Content = ReturnType<typeof createContent>;

/** What a user can do with the items of their links. Rejects with AppError. */
export const createContent = (deps: Deps) => ({
  ...createBrowsing(deps),
  ...createChanging(deps),
  ...createFiles(deps),
  ...createThumbnails(deps),
});
