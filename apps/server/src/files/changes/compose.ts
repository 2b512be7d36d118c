import type { Links } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Platform } from '#/platform/compose.ts';
import { createBins } from './bins.ts';
import { createEmptying } from './emptying.ts';
import { createItemHistory } from './item-history.ts';
import { createJournal } from './journal.ts';
import { createMending } from './mending.ts';
import { type RecentTransfers, createChanges } from './service.ts';
import { createChangeStore } from './store.ts';
import { createSwapping } from './swapping.ts';
import { createUndoing } from './undoing.ts';
import { createFileVersions } from './versions.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly undoTransfer: (userId: string, transferId: string) => Promise<unknown>;
  readonly recentTransfers: RecentTransfers;
}

/** Builds the journal, undo and bins. */
export function composeChanges(
  { database, newId, now, enqueue }: Pick<Platform, 'database' | 'newId' | 'now' | 'enqueue'>,
  { links, listings, undoTransfer, recentTransfers }: Deps,
) {
  const store = createChangeStore(database);
  const journal = createJournal({ store, newId, now });
  const swapping = createSwapping({ store, journal, listings });
  const undoing = createUndoing({ store, links, listings, swapping, newId });
  return {
    journal,
    changes: createChanges({ store, undoing, now, undoTransfer, recentTransfers }),
    bins: createBins({ store, links, listings, journal, swapping, newId }),
    fileVersions: createFileVersions({ links, listings, journal }),
    itemHistory: createItemHistory(store),
    forgetChanges: store.removeLink,
    changeJobs: [...createEmptying({ store, links, enqueue, now }), ...createMending({ store, links, listings, enqueue, now })],
  };
}
