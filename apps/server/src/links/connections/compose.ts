import { type FindDefinition, createDialer } from '@sheaf/connectors';
import type { Platform } from '#/platform/compose.ts';
import type { Vault } from '#/secrets/vault.ts';
import { createAppOf } from '../grants/apps.ts';
import { createGrantStore } from '../grants/grant-store.ts';
import { createRevoking } from '../grants/revoking.ts';
import { createLinkTokens } from '../grants/tokens.ts';
import { createLeftovers } from '../leftovers/leftovers.ts';
import { createLeftoverStore } from '../leftovers/store.ts';
import { createConnections } from './connections.ts';
import { createConnectionStore } from './store.ts';

/** Outcomes that are answers, or the caller's own doing. */
const isUsual: ReadonlySet<string> = new Set(['aborted', 'alreadyExists', 'notFound']);

export type Linking = ReturnType<typeof composeConnections>;

interface Surroundings {
  readonly deadlinesOf: Parameters<typeof createConnections>[0]['deadlinesOf'];
  readonly vault: Vault;
  readonly findDefinition: FindDefinition;
  readonly wakeLeftovers: () => Promise<void>;
}

/** Builds everything that opens links. Calls `wakeLeftovers` when remains of broken uploads or renames are due. */
export function composeConnections(
  { config, log, now, newId, db, database, background, isAlone, sourceCalls, providerLoad, tracing }: Platform,
  { vault, findDefinition, deadlinesOf, wakeLeftovers }: Surroundings,
) {
  const dialer = createDialer({ privateNetworks: config.privateNetworks });
  const appOf = createAppOf(config.providers);
  const connectionStore = createConnectionStore(db);
  const grantStore = createGrantStore(db);
  const leftovers = createLeftovers({ store: createLeftoverStore(database), newId, now, later: background.start, log });
  const connections = createConnections({
    store: connectionStore,
    vault,
    dialer,
    findDefinition,
    deadlinesOf,
    appOf,
    tokens: createLinkTokens({ store: grantStore, vault }),
    leftoversOf: leftovers.of,
    recovered: leftovers.retry,
    now,
    later: background.start,
    limited: providerLoad.limited,
    traced: ({ operation, userLinkId, connector, source }) => {
      const span = tracing?.begin({
        subject: 'source',
        name: `${connector} ${operation}`,
        facts: { 'sheaf.source.connector': connector, 'sheaf.source.operation': operation },
        own: { 'sheaf.source.type': source },
      });
      return (trace) => {
        const { outcome, serviceRequestId } = trace;
        const hasFailed = outcome !== 'ok' && !isUsual.has(outcome);
        span?.end({
          facts: { 'sheaf.outcome': outcome },
          ...(serviceRequestId !== undefined && { own: { 'sheaf.source.request.id': serviceRequestId } }),
          hasFailed,
        });
        sourceCalls.count({ ...trace, connector });
        providerLoad.ended(source, hasFailed);
        log.debug({ ...trace, userLinkId, connector, ...(span && { traceId: span.traceId }) }, 'source called');
      };
    },
  });
  leftovers.watch(connections.open, { isAlone, wake: wakeLeftovers });
  const revoking = createRevoking({ store: grantStore, vault, dialer, findDefinition, appOf, later: background.start });
  /** Ends all connections, then the notes about what they were doing. */
  const close = async (): Promise<void> => {
    await connections.close();
    await leftovers.close();
  };
  return { vault, findDefinition, dialer, appOf, connectionStore, connections, leftovers, revoking, close };
}
