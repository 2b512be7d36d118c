import type { Dialer, FindDefinition } from '@sheaf/connectors';
import type { Connections } from '#/links/connections/connections.ts';
import type { AppOf } from '#/links/grants/apps.ts';
import type { Revoking } from '#/links/grants/revoking.ts';
import type { GrantedLinks } from '#/links/links/granted.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Db } from '#/platform/db/schema/engine.ts';
import type { Throttle } from '#/platform/throttle.ts';
import type { Vault } from '#/secrets/vault.ts';
import { createAttempts } from './attempts.ts';
import { createFindAuthorizable } from './authorizable.ts';
import { createBuckets } from './buckets.ts';
import { createFinishing } from './finishing.ts';
import { createManaging } from './managing.ts';
import { createPendingGrants } from './pending-grants.ts';
import { createAuthorizations } from './service.ts';
import { createAuthorizationStore } from './store.ts';

interface Deps {
  readonly db: Db;
  readonly vault: Vault;
  readonly dialer: Dialer;
  readonly findDefinition: FindDefinition;
  readonly appOf: AppOf;
  readonly connections: Connections;
  readonly links: GrantedLinks;
  readonly revoking: Revoking;
  readonly throttle: Throttle;
  readonly publicUrl: string;
  readonly now: Clock;
  /** Called with the reason of a failed attempt. */
  readonly onTrouble: (error: Error, provider: string) => void;
}

/** Composes the parts of linking by authorization. */
export function createAuthorization(deps: Deps) {
  const { db, vault, dialer, findDefinition, appOf, connections, links, revoking, throttle, publicUrl, now, onTrouble } = deps;
  const store = createAuthorizationStore(db);
  const find = createFindAuthorizable({ dialer, findDefinition, appOf });
  const attempts = createAttempts({ store, vault, publicUrl, now });
  const pendingGrants = createPendingGrants({ store, vault, now });
  return createAuthorizations({
    attempts,
    find,
    links,
    throttle,
    finishing: createFinishing({ attempts, pendingGrants, find, links, revoking, onTrouble }),
    managing: createManaging({ links, connections, pendingGrants, find }),
    buckets: createBuckets({ links, pendingGrants, find, findDefinition, appOf, dialer }),
    sweep: () => store.sweep(now()),
  });
}
