import { createFiles } from '#/files/bodies/files.ts';
import type { Journal } from '#/files/changes/journal.ts';
import type { NameClaims } from '#/files/items/name-claims.ts';
import type { Links, OpenItem } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { createArchives } from '#/files/previews/archives.ts';
import type { Pictures } from '#/files/thumbnails/service.ts';
import { createBrowsing } from './browsing.ts';
import { createChanging } from './changing.ts';
import { createThumbnails } from './thumbnails.ts';
import type { Transfers } from './transfers.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly claims: NameClaims;
  readonly transfers: Transfers;
  readonly journal: Journal;
  readonly bytesBelow: (item: OpenItem) => Promise<number | undefined>;
  /** Makes thumbnails for sources that have none. */
  readonly pictures: Pictures;
}

export type Content = ReturnType<typeof createContent>;

/** Everything a user can do with the items of their links. Rejects with AppError. */
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
