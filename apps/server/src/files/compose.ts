import { join } from 'node:path';
import type { Platform } from '#/platform/compose.ts';
import { createArchives } from './archive/service.ts';
import { createContent } from './content/service.ts';
import { createEncryption } from './encryption/service.ts';
import { createEncryptionStore } from './encryption/store.ts';
import { createClaimStore } from './items/claim-store.ts';
import { createNameClaims } from './items/name-claims.ts';
import { createSpools } from './listings/rows/spool.ts';
import { createListingStore } from './listings/rows/store.ts';
import { createListings } from './listings/service.ts';
import { createPictures } from './thumbnails/service.ts';
import { composeTransfers } from './transfers/compose.ts';

type ContentDeps = Parameters<typeof createContent>[0];

interface Deps extends Pick<ContentDeps, 'links'>, Pick<Parameters<typeof composeTransfers>[1], 'vault' | 'enqueue'> {
  readonly leftovers: Pick<ContentDeps, 'transfers'>;
  readonly subscriptions: { hasPremium(accountId: string): Promise<boolean> };
  /** The ids of all links. */
  readonly linkIds: () => Promise<readonly string[]>;
}

/** Milliseconds between two removals of thumbnails of deleted links. */
const tidyEvery = 3_600_000;

/** Builds listings, contents, thumbnails and archives. */
export function composeFiles(
  platform: Platform,
  { links, leftovers: { transfers }, subscriptions: { hasPremium }, linkIds, vault, enqueue }: Deps,
) {
  const { config, database, db, log, now, newId, background, isAlone, warn } = platform;
  const pictures = createPictures({ folder: join(config.dataDir, 'thumbnails'), onTrouble: warn('a small picture could not be kept') });
  const listings = createListings({
    store: createListingStore(database),
    spools: createSpools(),
    now: Date.now,
    newVersion: newId,
    onStoreError: (error) => log.error({ err: error }, 'a listing could not be stored'),
  });
  const claimStore = createClaimStore(db);
  const claims = createNameClaims({ ...(!isAlone && { shared: claimStore }), newId, now, later: background.start });
  const transferring = composeTransfers(platform, { links, listings, vault, enqueue });
  listings.sweep();
  // Thumbnails are on the local disk, so each instance removes its own of deleted links.
  const tidying = setInterval(() => background.start('forget pictures', async () => pictures.keepOnly(await linkIds())), tidyEvery).unref();
  return {
    pictures,
    listings,
    content: createContent({ links, listings, pictures, claims, transfers }),
    archives: createArchives(),
    ...transferring,
    encryption: createEncryption({ store: createEncryptionStore(db), hasPremium }),
    sweeps: { nameClaims: () => claimStore.sweep(now()), transfers: transferring.sweep },
    /** Resolves when no listing is read any more. */
    async close(): Promise<void> {
      clearInterval(tidying);
      await listings.close();
    },
  };
}
