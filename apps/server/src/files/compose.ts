import { join } from 'node:path';
import type { Connections } from '#/links/connections/connections.ts';
import type { Platform } from '#/platform/compose.ts';
import { createArchives } from './archive/service.ts';
import { composeChanges } from './changes/compose.ts';
import { createContent } from './content/service.ts';
import { createEncryption } from './encryption/service.ts';
import { createEncryptionStore } from './encryption/store.ts';
import { createClaimStore } from './items/claim-store.ts';
import { createNameClaims } from './items/name-claims.ts';
import { composeKnowledge } from './knowledge/compose.ts';
import { createSpools } from './listings/rows/spool.ts';
import { createListingStore } from './listings/rows/store.ts';
import { createListings } from './listings/service.ts';
import { composeLive } from './live/compose.ts';
import { createArrivals } from './overview/arrivals.ts';
import { createRooms } from './overview/rooms.ts';
import { createOverviewStore } from './overview/store.ts';
import { createPlaces } from './places/service.ts';
import { createPlaceStore } from './places/store.ts';
import { createProfilePictures } from './profile-pictures/service.ts';
import { createProfilePictureStore } from './profile-pictures/store.ts';
import { createSearchJobs } from './search/jobs.ts';
import { createSearch } from './search/service.ts';
import { createSearchStore } from './search/store.ts';
import { createThumbnailJobs } from './thumbnails/jobs.ts';
import { createPictures } from './thumbnails/service.ts';
import { composeTransfers } from './transfers/compose.ts';
import { createUploads } from './uploads/service.ts';
import { createUploadStore } from './uploads/store.ts';
import { createUsageService } from './usage/service.ts';
import { createUsageStore } from './usage/store.ts';

type ContentDeps = Parameters<typeof createContent>[0];

interface Deps extends Pick<Parameters<typeof composeTransfers>[1], 'vault' | 'accounts' | 'dialer' | 'limitOf'> {
  readonly leftovers: Pick<ContentDeps, 'transfers'>;
  readonly subscriptions: { hasPremium(accountId: string): Promise<boolean>; hasOrgPlan(orgId: string): Promise<boolean> };
  readonly links: ContentDeps['links'] &
    Parameters<typeof composeKnowledge>[1]['access'] &
    Pick<Parameters<typeof createSearch>[0], 'reachable'> &
    Parameters<typeof composeLive>[1];
  readonly connections: Pick<Connections, 'open'>;
  readonly findDefinition: Parameters<typeof composeKnowledge>[1]['findDefinition'];
  readonly appOf: Parameters<typeof composeKnowledge>[1]['appOf'];
  readonly linkIds: () => Promise<readonly string[]>;
}

/** Builds listings, contents, thumbnails and archives. */
export function composeFiles(
  platform: Platform,
  {
    links,
    leftovers: { transfers },
    subscriptions: { hasPremium, hasOrgPlan },
    linkIds,
    connections,
    findDefinition,
    appOf,
    vault,
    dialer,
    accounts,
    limitOf,
  }: Deps,
) {
  const { config, database, db, log, now, newId, background, isAlone, warn, localKind, enqueue } = platform;
  const pictures = createPictures({ folder: join(config.dataDir, 'thumbnails'), onTrouble: warn('a small picture could not be kept') });
  const live = composeLive(platform, links);
  const searchStore = createSearchStore(database);
  const knowledge = composeKnowledge(platform, {
    access: links,
    listings: () => listings,
    knowledge: (folder) => searchStore.knowledge(folder),
    open: connections.open,
    hasOrgPlan,
    findDefinition,
    appOf,
  });
  const userLinks = noting(links, knowledge.used);
  const overview = createOverviewStore(db);
  const { reachable } = links;
  const arrivals = createArrivals({ store: overview, reachable, now });
  const listings = createListings({
    store: createListingStore(database),
    spools: createSpools(),
    now: Date.now,
    newVersion: newId,
    tell: live.news.tell,
    arrived: (linkId, path, items) => background.start('note arrivals', () => arrivals.note(linkId, path, items)),
    others: live.mounts.others,
    onStoreError: (error) => log.error({ err: error }, 'a listing could not be stored'),
  });
  const claimStore = createClaimStore(db);
  const claims = createNameClaims({ ...(!isAlone && { shared: claimStore }), newId, now, later: background.start });
  const transferring = composeTransfers(platform, { links, listings, vault, dialer, accounts, limitOf, hasPremium, enqueue });
  listings.sweep();
  const thumbnailJobs = createThumbnailJobs({ pictures, linkIds, localKind, enqueue });
  const searchJobs = createSearchJobs({
    database,
    databaseUrl: config.databaseUrl,
    onMissing: (error) =>
      log.warn({ err: error }, 'Postgres has no index for the search (extension pg_trgm): searching scans the listings'),
  });
  const { journal, changeJobs, forgetChanges, ...undoable } = composeChanges(platform, {
    links,
    listings,
    undoTransfer: transferring.transferService.undo,
    recentTransfers: transferring.transferService.recent,
  });
  const usage = createUsageService({
    store: createUsageStore(database),
    links,
    reachable: links.reachable,
    knowledge: (folder) => searchStore.knowledge(folder),
  });
  const contentFor = (through: ContentDeps['links']) =>
    createContent({ links: through, listings, pictures, claims, transfers, journal, bytesBelow: usage.bytesBelow });
  const content = contentFor(userLinks);
  const uploads = createUploads({
    links: userLinks,
    listings,
    journal,
    files: content,
    store: createUploadStore(db),
    vault,
    newId,
    now: Date.now,
  });
  return {
    endHints: knowledge.endHints,
    /** Removes the pictures, the listings and the journal of a deleted link in the background. */
    forgetLink(linkId: string): void {
      background.start('forget pictures', () => thumbnailJobs.forget(linkId));
      background.start('forget changes', () => forgetChanges(linkId));
      listings.sweep();
    },
    listings,
    content,
    contentFor,
    uploads,
    archives: createArchives(),
    profilePictures: createProfilePictures({
      store: createProfilePictureStore(db),
      dialer,
      background,
      now,
      onTrouble: warn('a picture could not be taken over from a sign-in provider'),
    }),
    searching: createSearch({ store: searchStore, reachable: links.reachable, now: Date.now }),
    usage,
    arrivals,
    rooms: createRooms({ store: overview, links, reachable, background, now }),
    keeping: knowledge.keeping,
    hints: knowledge.hints,
    liveStreams: live.streams,
    ...live.heard,
    ...transferring,
    ...undoable,
    jobs: [...thumbnailJobs.handlers, ...transferring.transferJobs, ...changeJobs, ...searchJobs, ...knowledge.handlers],
    encryption: createEncryption({
      store: createEncryptionStore(db),
      links,
      reachable,
      hasPremium,
      addFolder: content.addFolder,
      newId,
      now,
    }),
    places: createPlaces({ store: createPlaceStore(db), reachable: links.reachable, now }),
    sweeps: {
      listings: async () => listings.sweep(),
      nameClaims: () => claimStore.sweep(now()),
      transfers: transferring.sweep,
      uploads: () => uploads.sweep(),
    },
    /** Resolves when no upload runs and no listing is read any more. */
    async close(): Promise<void> {
      await uploads.close();
      await listings.close();
      live.news.close();
    },
  };
}

/** The same links; what a user opens is noted as used, a Space as its storage. */
const noting = <L extends ContentDeps['links']>(links: L, used: (linkId: string) => void): L => ({
  ...links,
  async open(userId, linkId) {
    const link = await links.open(userId, linkId);
    used(link.stored?.userLinkId ?? linkId);
    return link;
  },
});
