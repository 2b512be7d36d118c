import type { Dialer } from '@sheaf/connectors';
import type { Links } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Platform } from '#/platform/compose.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import type { LimitOf } from '#/platform/limit-of.ts';
import type { Vault } from '#/secrets/vault.ts';
import { createBandwidthService } from './bandwidth-service.ts';
import { createAccountBandwidth } from './copying/account-bandwidth.ts';
import { createFileCopier } from './copying/file-copy.ts';
import { createInParts } from './copying/in-parts.ts';
import { createSlots } from './copying/slots.ts';
import { withMirrors } from './mirror/compose.ts';
import { createMoveBack } from './move-back.ts';
import { createPlanner } from './planner.ts';
import { createSpeeds } from './planning/speeds.ts';
import { createBandwidthStore } from './rows/bandwidth-store.ts';
import { createItemStore } from './rows/item-store.ts';
import { createSpeedStore } from './rows/speed-store.ts';
import { createTransferStore } from './rows/store.ts';
import { createRunner } from './runner.ts';
import { createScheduleRuns } from './schedules/runs.ts';
import { createScheduleService } from './schedules/service.ts';
import { createScheduleStore } from './schedules/store.ts';
import { createTransferService } from './service.ts';
import { undoWindow } from './shown.ts';
import { createReportSigner } from './signature.ts';
import { createUndoing } from './undo.ts';
import { keepReplaced } from './versions/replace.ts';
import { createVersionSweep } from './versions/sweep.ts';
import { createWebAddresses } from './web/addresses.ts';
import { createWebAddressStore } from './web/store.ts';
import { createTransferWork } from './work.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly vault: Vault;
  readonly dialer: Dialer;
  readonly limitOf: LimitOf;
  readonly accounts: Parameters<typeof createScheduleRuns>[0]['accounts'];
  readonly hasPremium: (accountId: string) => Promise<boolean>;
  readonly enqueue: (job: JobRequest) => Promise<unknown>;
}

/** Reports are kept for a year. */
const keptFor = 366 * 86_400_000;
/** Plans that nobody starts are kept for a week. */
const plannedFor = 7 * 86_400_000;

/** Builds transfers between links: the service, and the job that runs them. */
export function composeTransfers(
  { config: { publicUrl }, database, mailer, newId, throttle, transferMetrics: metrics, warn }: Platform,
  { links: userLinks, listings, vault, dialer, accounts, limitOf, hasPremium, enqueue }: Deps,
) {
  const now = Date.now;
  const webStore = createWebAddressStore(database.db);
  const web = createWebAddresses({ links: userLinks, store: webStore, vault, dialer, throttle, newId, now });
  const { links } = web;
  const transfers = createTransferStore(database, now);
  const items = createItemStore(database);
  const inParts = createInParts(vault);
  const bandwidthStore = createBandwidthStore(database.db);
  const bandwidths = createAccountBandwidth({
    store: bandwidthStore,
    limitOf,
    now,
    onTrouble: warn('the limit of an account could not be read'),
  });
  const copier = keepReplaced(createFileCopier({ inParts }));
  const { planner, runner } = withMirrors(
    database.db,
    { links, listings, transfers, items },
    createPlanner({ links, listings, transfers, items, now }),
    createRunner({ links, listings, transfers, items, copier, slots: createSlots(), bandwidths, metrics }),
  );
  const undoing = createUndoing({
    links,
    listings,
    transfers,
    items,
    inParts,
    moveBack: createMoveBack({ links, listings, items, copier }),
    enqueue,
  });
  const versions = createVersionSweep({ links, transfers, items, enqueue });
  const speeds = createSpeeds({ links: userLinks, store: createSpeedStore(database) });
  const work = createTransferWork({ links, transfers, items, planner, runner, speeds, metrics, onGivenUp: undoing.restore, now });
  const service = createTransferService({
    links,
    transfers,
    items,
    planner,
    speeds,
    undoing,
    stop: work.stop,
    limitOf,
    enqueue,
    newId,
    now,
  });
  const store = createScheduleStore(database.db);
  const runs = createScheduleRuns({
    store,
    transfers,
    service,
    accounts,
    hasPremium,
    mailer,
    removeVersions: versions.remove,
    publicUrl,
    now,
  });
  return {
    transferService: { ...service, reports: createReportSigner(vault) },
    webAddresses: web,
    bandwidth: createBandwidthService(bandwidthStore),
    schedules: createScheduleService({ links: userLinks, store, runs, hasPremium, newId, now }),
    transferJobs: [work.job, ...undoing.handlers, versions.job, runs.job],
    /** Call it before an account is deleted. */
    removeTransfersOf: transfers.removeAll,
    async sweep() {
      await versions.sweep(now() - undoWindow);
      await runs.sweep();
      await transfers.sweep({ ended: now() - keptFor, planned: now() - plannedFor });
      await webStore.removeBefore(now() - keptFor);
    },
  };
}
