import { findDefinition as findConnector } from '@sheaf/connectors';
import type { Logger } from 'pino';
import { composeAccess } from './access/compose.ts';
import { composeBilling, composePurchases } from './billing/compose.ts';
import { composeFiles } from './files/compose.ts';
import { composeClosings, composeIdentity } from './identity/compose.ts';
import { composeLinks } from './links/compose.ts';
import { composeConnections } from './links/connections/compose.ts';
import { createLinkStore } from './links/links/store.ts';
import { systemClock } from './platform/clock.ts';
import { composeJobs, composePlatform } from './platform/compose.ts';
import type { Config } from './platform/config/config.ts';
import { composeSecrets } from './secrets/compose.ts';
import { composeOperated, composeServing } from './serving/compose.ts';
import { composeMemberships, composeSharing, followRights } from './sharing/compose.ts';
import { backgroundTasks, leftoversKind } from './tasks.ts';
import type { TestOverrides } from './test-overrides.ts';

export type Services = Awaited<ReturnType<typeof createServices>>;

/** The composition root: builds all areas in the order of their dependencies. Rejects when the database cannot be opened. */
export async function createServices(
  config: Config,
  log: Logger,
  { now = systemClock, findDefinition = findConnector, schedules = true, deadlinesOf }: TestOverrides = {},
) {
  const { vault, keys, reseal, backups, beforeChange } = await composeSecrets(config, log);
  const platform = await composePlatform(config, log, now, { vault, beforeChange, enqueue: (...requests) => jobs.enqueue(...requests) });
  const { db, background } = platform;
  const money = await composeBilling(platform, (id) => background.start('tell of spaces', () => membership.spaces.premiumEnded(id)));
  const { subscriptions } = money;
  const linkStore = createLinkStore(db);
  const { sweeps, ...identity } = composeIdentity({
    ...platform,
    vault,
    masterKey: keys.current,
    subscriptions,
    links: linkStore,
    directory: { followRoles: (of) => serving.directories.signedIn(of), followPicture: (...of) => files.profilePictures.follow(...of) },
  });
  const linking = composeConnections(platform, { vault, findDefinition, deadlinesOf, wakeLeftovers: () => jobs.runNow(leftoversKind) });
  const access = composeAccess(platform, { ...linking, subscribed: subscriptions });
  const files = composeFiles(platform, { ...linking, ...identity, subscriptions, vault, links: access, linkIds: linkStore.allIds });
  const shared = { access, accounts: identity.accounts, subscriptions, backups, vault, limitOf: identity.limitOf };
  const membership = composeMemberships(platform, shared);
  const linked = composeLinks(platform, { ...membership, ...shared, linking, store: linkStore, files });
  const sharing = composeSharing(platform, { ...membership, ...files, ...shared, ...linked, masterKey: keys.current });
  const serving = composeServing(platform, {
    ...linking,
    ...sharing,
    ...files,
    ...shared,
    ...identity,
    masterKey: keys.current,
    hasPremium: subscriptions.hasPremium,
    jobs: { failing: (limit) => jobs.failing(limit) },
  });
  const closings = composeClosings(platform, { ...identity, ...linked, ...membership, ...files, subscriptions });
  const handlers = backgroundTasks({
    ...linking,
    closings,
    ...sharing,
    ...linked,
    ...serving,
    ...platform,
    ...membership,
    subscriptions,
    sweeps: { ...sweeps, ...files.sweeps, programs: () => serving.sweepPrograms(), jobs: () => jobs.clear() },
    reseal: () => reseal({ log, links: linking.connectionStore, others: [identity.factors, identity.appPasswords] }),
    handlers: [platform.mailJob, ...files.jobs, ...serving.backups.backupJobs],
  });
  const jobs = composeJobs(platform, handlers, schedules);
  const following = await followRights(platform, { ...identity, ...sharing, ...files, ...linking, access, onJob: () => jobs.wake() });
  await jobs.start(platform);
  return {
    ...platform,
    ...money,
    ...identity,
    ...files,
    ...linked,
    ...sharing,
    ...serving,
    connections: linking.connections,
    access,
    spaces: membership.spaces,
    closings,
    ...composeOperated(platform, { ...identity, ...linking, closings, access, jobs }),
    purchases: composePurchases({ ...money, mayTryOrg: sharing.orgs.mayTry, isOperator: serving.operator.isOperator }),
    jobs,
    /** Finishes running work, then releases everything. */
    async close(): Promise<void> {
      await jobs.stop();
      await following.close();
      await files.close();
      await linking.close();
      await platform.close();
    },
  };
}
