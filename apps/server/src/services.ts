import { join } from 'node:path';
import { type FindDefinition, createDialer, findDefinition as findConnector } from '@sheaf/connectors';
import { redirectPath } from '@sheaf/contract';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createReachStore } from './access/reach-store.ts';
import { createReach } from './access/reach.ts';
import { createBilling } from './billing/provider/billing.ts';
import { createPurchases } from './billing/purchase/service.ts';
import { included } from './billing/subscriptions/included.ts';
import { createPurchaseStore } from './billing/subscriptions/purchase-store.ts';
import { createSubscriptions } from './billing/subscriptions/service.ts';
import { createSubscriptionStore } from './billing/subscriptions/store.ts';
import { createArchives } from './files/archive/service.ts';
import { createContent } from './files/content/service.ts';
import { createEncryption } from './files/encryption/service.ts';
import { createEncryptionStore } from './files/encryption/store.ts';
import { createClaimStore } from './files/items/claim-store.ts';
import { createNameClaims } from './files/items/name-claims.ts';
import { createSpools } from './files/listings/rows/spool.ts';
import { createListingStore } from './files/listings/rows/store.ts';
import { createListings } from './files/listings/service.ts';
import { createPictures } from './files/thumbnails/service.ts';
import { createIdentity } from './identity/compose.ts';
import { createClosingStore } from './identity/profile/closing-store.ts';
import { createClosings } from './identity/profile/closing.ts';
import { createAuthorization } from './links/authorization/authorization.ts';
import { createConnections } from './links/connections/connections.ts';
import { createConnectionStore } from './links/connections/store.ts';
import { createAppOf } from './links/grants/apps.ts';
import { createGrantStore } from './links/grants/grant-store.ts';
import { createRevoking } from './links/grants/revoking.ts';
import { createLinkTokens } from './links/grants/tokens.ts';
import { createLeftovers } from './links/leftovers/leftovers.ts';
import { createLeftoverStore } from './links/leftovers/store.ts';
import { createGrantedLinks } from './links/links/granted.ts';
import { createOwners } from './links/links/owner.ts';
import { createSaving } from './links/links/saving.ts';
import { createLinks } from './links/links/service.ts';
import { createLinkStore } from './links/links/store.ts';
import { createProviders } from './links/providers/service.ts';
import { createImporting } from './links/rclone/importing.ts';
import { createLinkFiles } from './links/rclone/service.ts';
import { createLinkFileStore } from './links/rclone/store.ts';
import { createBackground } from './platform/background.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import { jobChannel } from './platform/db/changes.ts';
import { openDatabase } from './platform/db/database.ts';
import { newId, newPublicId } from './platform/ids.ts';
import type { JobHandler } from './platform/jobs/job.ts';
import { createJobs } from './platform/jobs/jobs.ts';
import { createOutbox } from './platform/mail/outbox.ts';
import { createSmtp } from './platform/mail/smtp.ts';
import { createThrottle } from './platform/throttle.ts';
import { masterKeys } from './secrets/master-key.ts';
import { resealSecrets } from './secrets/reseal.ts';
import { createVault } from './secrets/vault.ts';
import { createHandoffs } from './serving/handoff/service.ts';
import { createHandoffStore } from './serving/handoff/store.ts';
import { createOperator } from './serving/operator/service.ts';
import { createAudit } from './sharing/audit/service.ts';
import { createAuditStore } from './sharing/audit/store.ts';
import { createNotices } from './sharing/notices/service.ts';
import { createNoticeStore } from './sharing/notices/store.ts';
import { createOrganisations } from './sharing/orgs/organisations.ts';
import { createOrgRights } from './sharing/orgs/rights.ts';
import { createOrgStore } from './sharing/orgs/store.ts';
import { createSpaces } from './sharing/spaces/service.ts';
import { createSpaceStore } from './sharing/spaces/store.ts';
import { createPasses } from './sharing/weblinks/passes.ts';
import { createWeblinks } from './sharing/weblinks/service.ts';
import { createWeblinkStore } from './sharing/weblinks/store.ts';
import { createVisiting } from './sharing/weblinks/visiting.ts';
import { createVisits } from './sharing/weblinks/visits.ts';
import { followWithdrawals } from './sharing/withdrawals.ts';
import { backgroundTasks, leftoversKind } from './tasks.ts';

/** Milliseconds between two removals of small pictures whose links are gone. */
const sweepEvery = 3_600_000;

/** What tests put in the place of the real thing. */
export interface Stand {
  readonly now?: Clock;
  readonly findDefinition?: FindDefinition;
  /** False: what runs by schedule runs at the start at most, so that a test does not depend on the minute it runs in. */
  readonly schedules?: boolean;
}

export type Services = Awaited<ReturnType<typeof createServices>>;

/** The composition root: everything the program consists of, made once and in order. Rejects when the database cannot be opened. */
export async function createServices(
  config: Config,
  log: Logger,
  { now = systemClock, findDefinition = findConnector, schedules = true }: Stand = {},
) {
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    onLostConnection: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
  const { db } = database;
  const background = createBackground(log);
  const mailer = config.smtpUrl === '' ? createOutbox(join(config.dataDir, 'outbox'), log) : createSmtp(config.smtpUrl, config.mailFrom);

  const throttle = createThrottle(db, now);
  const billing = createBilling(config, { db, newId, now });
  const subscriptions = billing
    ? createSubscriptions({
        store: createSubscriptionStore(db, billing.provider.mode),
        purchaseStore: createPurchaseStore(db, billing.provider.mode),
        provider: billing.provider,
        mailer,
        publicUrl: config.publicUrl,
        later: background.start,
        newId,
        throttle,
        clock: now,
        onTrouble: (error, what) => log.error({ err: error }, what),
        // Spaces ask for subscriptions, and are made after them.
        premiumEnded: (accountId) => background.start('tell of spaces', () => spaces.premiumEnded(accountId)),
      })
    : included;
  const keys = await masterKeys(config);
  const vault = createVault(keys.current, keys.previous);
  const linkStore = createLinkStore(db);
  const { sweeps: identitySweeps, ...identity } = createIdentity({
    config,
    log,
    db,
    vault,
    mailer,
    throttle,
    background,
    subscriptions,
    links: linkStore,
    now,
  });
  const { accounts } = identity;

  const dialer = createDialer({ privateNetworks: config.privateNetworks });
  const appOf = createAppOf(config.providers);
  const connectionStore = createConnectionStore(db);
  const grantStore = createGrantStore(db);
  const leftovers = createLeftovers({ store: createLeftoverStore(db), newId, now, later: background.start, log });
  const connections = createConnections({
    store: connectionStore,
    vault,
    dialer,
    findDefinition,
    appOf,
    tokens: createLinkTokens({ store: grantStore, vault }),
    leftoversOf: leftovers.of,
    recovered: leftovers.retry,
    now,
    later: background.start,
    traced: (trace) => log.debug(trace, 'source called'),
  });
  const reach = createReach({
    store: createReachStore(db),
    connections,
    subscribed: subscriptions,
    now,
  });
  const spaces = createSpaces({
    store: createSpaceStore(db),
    reach,
    hasPremium: subscriptions.hasPremium,
    accounts,
    throttle,
    mailer,
    background,
    newId,
    now,
    publicUrl: config.publicUrl,
  });
  leftovers.watch(connections.open, { isAlone: database.engine === 'sqlite', wake: () => jobs.runNow(leftoversKind) });
  const revoking = createRevoking({ store: grantStore, vault, dialer, findDefinition, appOf, later: background.start });
  const orgStore = createOrgStore(db);
  const rights = createOrgRights(orgStore);
  const owners = createOwners({ findMembership: rights.find, hasOrgPlan: subscriptions.hasOrgPlan });
  const pictures = createPictures({
    folder: join(config.dataDir, 'thumbnails'),
    onTrouble: (error) => log.warn({ err: error }, 'a small picture could not be kept'),
  });
  const saving = createSaving({ store: linkStore, vault, newId, now });
  const links = createLinks({
    store: linkStore,
    saving,
    owners,
    memberships: rights.memberships,
    connections,
    revoking,
    spaces,
    forgetPictures: (linkId) => background.start('forget pictures', () => pictures.forget(linkId)),
    vault,
    dialer,
    findDefinition,
    appOf,
    now,
  });
  const encryption = createEncryption({ store: createEncryptionStore(db), hasPremium: subscriptions.hasPremium });
  const handoffs = createHandoffs({
    store: createHandoffStore(db),
    hasPremium: subscriptions.hasPremium,
    isLinkOf: reach.has,
    publicUrl: config.publicUrl,
    now,
  });
  const authorizations = createAuthorization({
    db,
    vault,
    dialer,
    findDefinition,
    appOf,
    connections,
    links: createGrantedLinks({ store: linkStore, saving, owners, connections }),
    revoking,
    throttle,
    publicUrl: config.publicUrl,
    now,
    onTrouble: (error, provider) => log.warn({ err: error, provider }, 'authorization failed'),
  });
  const linkFileStore = createLinkFileStore(db);
  const linkFiles = createLinkFiles({ store: linkFileStore, accounts, throttle, vault, now });
  const importing = createImporting({ store: linkFileStore, links, authorizations });
  const organisations = createOrganisations({
    db,
    store: orgStore,
    rights,
    subscriptions,
    accounts,
    throttle,
    prepareUnlinkingAll: links.prepareUnlinkingAll,
    forgetReach: reach.forget,
    mailer,
    background,
    publicUrl: config.publicUrl,
    newId,
    now,
  });
  const notices = createNotices({
    store: createNoticeStore(db),
    mailer,
    billingTime: subscriptions.time,
    publicUrl: config.publicUrl,
    now,
    onTrouble: (error) => log.warn({ err: error }, 'a notice could not be sent'),
  });
  const operator = createOperator({
    operators: config.operators,
    accounts,
    appOf,
    findDefinition,
    dialer,
    jobs: { failing: (limit) => jobs.failing(limit), retryNow: (job) => jobs.retryNow(job) },
    redirectUri: config.publicUrl + redirectPath,
  });
  const providers = createProviders(appOf);
  const purchases = createPurchases({
    subscriptions,
    mayTryOrg: organisations.orgs.mayTry,
    sandbox: billing?.sandbox,
    isOperator: operator.isOperator,
  });
  const listings = createListings({
    store: createListingStore(database),
    spools: createSpools(),
    now: Date.now,
    newVersion: newId,
    onStoreError: (error) => log.error({ err: error }, 'a listing could not be stored'),
  });
  const claimStore = createClaimStore(db);
  const claims = createNameClaims({ ...(database.engine === 'postgres' && { shared: claimStore }), newId, now, later: background.start });
  const content = createContent({ links: reach, listings, pictures, claims, transfers: leftovers.transfers });
  const weblinkStore = createWeblinkStore(db);
  const passes = createPasses(keys.current, now);
  const visits = createVisits({ store: weblinkStore, passes, later: background.start, now });
  const weblinks = createWeblinks({ store: weblinkStore, content, reach, visits, newId: newPublicId, now, publicUrl: config.publicUrl });
  const visiting = createVisiting({ store: weblinkStore, content, links: reach, passes, throttle, now });
  listings.sweep();
  if (keys.previous.length > 0) {
    background.start('sealing anew', async () => {
      const [passwords, codes] = [await resealSecrets(connectionStore, vault), await identity.factors.reseal()];
      const unreadable = passwords.unreadable + codes.unreadable;
      if (unreadable > 0) log.warn({ unreadable }, 'these secrets are opened by none of the keys');
      log.info({ secrets: passwords.sealed + codes.sealed }, 'secrets sealed with the newest key');
    });
  }

  const closings = createClosings({
    store: createClosingStore(db),
    ...identity,
    links,
    subscriptions,
    spaces,
    mailer,
    background,
    publicUrl: config.publicUrl,
    now,
    onTrouble: (error) => log.error({ err: error }, 'an account could not be closed'),
  });

  const handlers: JobHandler[] = backgroundTasks({
    leftovers,
    closeAccounts: closings.sweep,
    settleBilling: subscriptions.settle,
    sendNotices: notices.send,
    sweeps: {
      ...identitySweeps,
      handoffs: handoffs.sweep,
      throttle: throttle.sweep,
      nameClaims: () => claimStore.sweep(now()),
      authorizations: authorizations.sweep,
      orgInvitations: organisations.orgInvitations.sweep,
      spaces: spaces.sweep,
      jobs: () => jobs.clear(),
    },
    enqueue: (...requests) => jobs.enqueue(...requests),
  });
  const jobs = createJobs({
    db,
    engine: database.engine,
    handlers,
    newId,
    log,
    keep: (name, work) => background.start(name, () => work),
    schedules,
    ...(database.engine === 'postgres' && {
      notify: async () => void (await sql`select pg_notify(${jobChannel}, '')`.execute(db)),
    }),
  });
  const following = await followWithdrawals({
    databaseUrl: config.databaseUrl,
    sessions: identity.sessions,
    authCodes: identity.authCodes,
    reach,
    connections,
    visits,
    background,
    onJob: () => jobs.wake(),
    onTrouble: (error) => log.warn({ err: error }, 'changes of rights by other instances cannot be heard at the moment'),
  });
  await jobs.start({ isAlone: database.engine === 'sqlite' });
  // Small pictures lie on the disk of this machine: each instance looks after its own.
  const sweeping = setInterval(
    () => background.start('forget pictures', async () => pictures.keepOnly(await linkStore.allIds())),
    sweepEvery,
  ).unref();

  return {
    config,
    log,
    database,
    background,
    ...identity,
    billing,
    purchases,
    subscriptions,
    now,
    encryption,
    handoffs,
    closings,
    connections,
    reach,
    spaces,
    links,
    authorizations,
    ...organisations,
    operator,
    providers,
    content,
    archives: createArchives(),
    audit: createAudit({ store: createAuditStore(db) }),
    linkFiles,
    notices,
    jobs,
    importing,
    weblinks,
    visiting,
    visits,
    /** Resolves when the database answers. */
    async ping(): Promise<void> {
      await sql`select 1`.execute(db);
    },
    /** Finishes what is under way, then lets go of everything. */
    async close(): Promise<void> {
      clearInterval(sweeping);
      await jobs.stop();
      await following.close();
      await listings.close();
      await connections.close();
      await leftovers.close();
      await background.idle();
      mailer.close();
      await database.close();
    },
  };
}
