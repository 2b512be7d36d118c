import type { Listings } from '#/listings/service.ts';
import { createArchives } from '#/previews/archives.ts';
import type { Pictures } from '#/thumbnails/service.ts';
import { createBrowsing } from './browsing.ts';
import { createChanging } from './changing.ts';
import { createFiles } from './files.ts';
import type { NameClaims } from './name-claims.ts';
import type { Links } from './place.ts';
import { createThumbnails } from './thumbnails.ts';
import type { Transfers } from './transfers.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly claims: NameClaims;
  readonly transfers: Transfers;
  /** Makes the small pictures that sources do not make. */
  readonly pictures: Pictures;
}

export type Content = ReturnType<typeof createContent>;

/** What a user can do with the items of their links. Rejects with AppError. */
export function createContent(deps: Deps) {
  const files = createFiles(deps);
  return {
    ...createBrowsing(deps),
    ...createChanging(deps),
    ...files,
    ...createArchives(files),
    ...createThumbnails(deps),
  };
}
