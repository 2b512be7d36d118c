import { redirectPath } from '@sheaf/contract';
import type { Access } from '#/access/access.ts';
import type { Content } from '#/files/content/service.ts';
import type { Links } from '#/files/items/open-item.ts';
import type { Platform } from '#/platform/compose.ts';
import { createBackupService } from './backups/service.ts';
import { createBackupStore } from './backups/store.ts';
import { createDav } from './dav/service.ts';
import { createLockStore } from './dav/state/lock-store.ts';
import { createPropertyStore } from './dav/state/property-store.ts';
import { createHandoffs } from './handoff/service.ts';
import { createHandoffStore } from './handoff/store.ts';
import { createOperator } from './operator/service.ts';
import { createPeople } from './people/service.ts';
import { createPeopleStore } from './people/store.ts';
import { createWindows } from './programs/windows.ts';

type DavDeps = Parameters<typeof createDav>[0];
type BackupDeps = Parameters<typeof createBackupService>[0];
type OperatorDeps = Parameters<typeof createOperator>[0];

interface Deps extends Pick<OperatorDeps, 'operators' | 'appOf' | 'findDefinition' | 'dialer'> {
  readonly jobs: OperatorDeps['jobs'] & BackupDeps['jobs'];
  readonly backups: BackupDeps['backups'];
  readonly content: Content;
  readonly access: Access;
  readonly listings: DavDeps['listings'];
  readonly leftovers: Pick<DavDeps, 'transfers'>;
  readonly contentFor: (links: Links) => Content;
  readonly hasPremium: (accountId: string) => Promise<boolean>;
}

/** Builds hand-offs to other programs, and the operator's pages. */
export function composeServing(
  { db, now, publicUrl, config, enqueue, localKind }: Platform,
  {
    access,
    backups,
    content,
    listings,
    leftovers: { transfers },
    contentFor,
    hasPremium,
    operators,
    appOf,
    findDefinition,
    dialer,
    jobs,
  }: Deps,
) {
  const stores = { lockStore: createLockStore(db), properties: createPropertyStore(db) };
  const backupStore = createBackupStore(db);
  const backupService = createBackupService({
    backups,
    operators,
    links: access,
    content,
    jobs,
    enqueue,
    localKind,
    store: backupStore,
    config,
    now,
  });
  return {
    backups: backupService,
    windows: createWindows({ access, contentFor }),
    dav: createDav({ listings, transfers, ...stores, publicUrl, now }),
    handoffs: createHandoffs({ store: createHandoffStore(db), hasPremium, isLinkOf: access.has, publicUrl, now }),
    operator: createOperator({
      operators,
      appOf,
      findDefinition,
      dialer,
      jobs,
      redirectUri: publicUrl + redirectPath,
    }),
  };
}

type PeopleDeps = Omit<Parameters<typeof createPeople>[0], 'store' | 'mailer' | 'background' | 'publicUrl' | 'now'>;

/** Builds the operator's page of people, which changes what other areas keep. */
export const composePeople = ({ db, mailer, background, publicUrl, now }: Platform, deps: PeopleDeps) =>
  createPeople({ ...deps, store: createPeopleStore(db), mailer, background, publicUrl, now });
