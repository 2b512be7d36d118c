import { join } from 'node:path';
import { type FastifyBaseLogger, type FastifyInstance, LogController, fastify } from 'fastify';
import { cardFormOrigins } from './billing/provider/billing.ts';
import { notificationRoutes } from './billing/purchase/notifications.ts';
import { purchaseRoutes } from './billing/purchase/routes.ts';
import { archiveRoutes } from './files/archive/routes.ts';
import { changeRoutes } from './files/changes/routes.ts';
import { contentRoutes } from './files/content/routes.ts';
import { versionRoutes } from './files/content/version-routes.ts';
import { encryptionRoutes } from './files/encryption/routes.ts';
import { hintRoutes } from './files/knowledge/hint-routes.ts';
import { knowledgeRoutes } from './files/knowledge/routes.ts';
import { liveRoutes } from './files/live/routes.ts';
import { overviewRoutes } from './files/overview/routes.ts';
import { placeRoutes } from './files/places/routes.ts';
import { profilePictureRoutes } from './files/profile-pictures/routes.ts';
import { searchRoutes } from './files/search/routes.ts';
import { transferRoutes } from './files/transfers/routes.ts';
import { scheduleRoutes } from './files/transfers/schedules/routes.ts';
import { uploadRoutes } from './files/uploads/routes.ts';
import { usageRoutes } from './files/usage/routes.ts';
import { admissionRoutes } from './identity/admission/routes.ts';
import { appPasswordRoutes } from './identity/app-passwords/routes.ts';
import { authCodeRoutes } from './identity/auth-codes/routes.ts';
import { authRoutes } from './identity/credentials/routes.ts';
import { accountRoutes } from './identity/profile/routes.ts';
import { secondFactorRoutes } from './identity/profile/second-factor-routes.ts';
import { signInRoutes } from './identity/sign-in/sign-in-routes.ts';
import { authorizationRoutes } from './links/authorization/routes.ts';
import { linkRoutes } from './links/links/routes.ts';
import { providerRoutes } from './links/providers/routes.ts';
import { linkFileRoutes } from './links/rclone/routes.ts';
import { databaseRow } from './platform/db/engines/unavailable.ts';
import { limitBodies } from './platform/http/bodies/body-room.ts';
import { acceptForms } from './platform/http/bodies/forms.ts';
import { refuseSlowBodies } from './platform/http/bodies/slow-bodies.ts';
import { holdBodies } from './platform/http/expect-continue.ts';
import { healthRoutes } from './platform/http/health.ts';
import { refuseUnknownHosts } from './platform/http/known-hosts.ts';
import { metricsRoutes } from './platform/http/metrics.ts';
import { answerErrors } from './platform/http/on-error.ts';
import { RequestLog, createRequestIds } from './platform/http/request-log.ts';
import { routableUrl } from './platform/http/routable-url.ts';
import { sendSecurityHeaders } from './platform/http/security-headers.ts';
import { traceRequests } from './platform/http/spans/request-spans.ts';
import { openapiRoutes } from './platform/openapi/routes.ts';
import { version } from './platform/version.ts';
import type { Services } from './services.ts';
import { agentRoutes } from './serving/agents/routes.ts';
import { backupRoutes } from './serving/backups/routes.ts';
import { downloadRoutes } from './serving/cli-download/routes.ts';
import { davRoutes } from './serving/dav/routes.ts';
import { deviceRoutes } from './serving/device-sign-in/routes.ts';
import { handoffRoutes } from './serving/handoff/routes.ts';
import { probeRoutes } from './serving/health/probe-routes.ts';
import { operatorHealthRoutes } from './serving/health/routes.ts';
import { operatedJobRoutes } from './serving/jobs/routes.ts';
import { operatedLimitRoutes } from './serving/limits/routes.ts';
import { operatorRoutes } from './serving/operator/routes.ts';
import { peopleRoutes } from './serving/people/routes.ts';
import { programRoutes } from './serving/programs/routes.ts';
import { s3Routes } from './serving/s3/routes.ts';
import { directoryRoutes } from './serving/scim/routes.ts';
import { operatedSettingRoutes } from './serving/settings/routes.ts';
import { brandRoutes } from './serving/web/brand-routes.ts';
import { brandOf } from './serving/web/brand.ts';
import { webRoutes } from './serving/web/routes.ts';
import { activityRoutes } from './sharing/activity/routes.ts';
import { auditRoutes } from './sharing/audit/routes.ts';
import { noticeRoutes } from './sharing/notices/routes.ts';
import { orgRoutes } from './sharing/orgs/routes.ts';
import { spaceRoutes } from './sharing/spaces/routes.ts';
import { weblinkRoutes } from './sharing/weblinks/routes.ts';

/** Most bytes of a form or JSON body; file bodies are streamed and not limited here. */
const bodyLimit = 1_048_576;
const builtWebApp = join(import.meta.dirname, '../../web/dist');
const builtClient = join(import.meta.dirname, '../../cli/dist/sheaf-cli.tgz');
const builtBundles = join(import.meta.dirname, '../../../dist/clients');

/** Calls are read by the contract's own schemas: Fastify need not load its compilers, a tenth of the time of a start, for its own. */
const noSchemas = () => (): never => {
  throw new Error('routes have no schemas of Fastify');
};

/** Builds the HTTP server on the services, ready to listen. Closing it does not close the services. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, log, sessions, auth, signingUp, signIn, links, authorizations, operator, providers, content } = services;
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    genReqId: createRequestIds(),
    childLoggerFactory: (logger, bindings, options) => new RequestLog(logger, bindings, options),
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    bodyLimit,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { maxParamLength: 4096 },
    // No limit: uploads and downloads last as long as they progress, the connectors' deadlines detect silence, and forms have their own limit.
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  app.decorate('findCaller', sessions.find);
  app.decorate('findBearer', services.authCodes.find);
  app.decorate('publicOrigin', config.publicUrl);
  if (services.tracing) traceRequests(app, services.tracing, config.trustedProxies);
  sendSecurityHeaders(app, config.publicUrl.startsWith('https:'), cardFormOrigins(config));
  refuseUnknownHosts(app, config.allowedHosts);
  refuseSlowBodies(app);
  limitBodies(app);
  holdBodies(app, ['/dav', '/s3', '/sheaf']);
  acceptForms(app);
  answerErrors(app, databaseRow);
  probeRoutes(app, services.probeKey, services.now);
  healthRoutes(app, { ping: services.ping });
  metricsRoutes(app, { token: config.metricsToken, loopback: config.isPrivate }, async () => [
    ...(await services.jobs.metrics()),
    ...(await services.metricLines()),
  ]);

  authRoutes(app, auth, signingUp, signIn.signOutUrl);
  admissionRoutes(app, services);
  authCodeRoutes(app, services);
  appPasswordRoutes(app, services);
  encryptionRoutes(app, services);
  placeRoutes(app, services.places);
  transferRoutes(app, services.transferService, services.bandwidth, services.webAddresses);
  scheduleRoutes(app, services.schedules);
  handoffRoutes(app, services.handoffs);
  signInRoutes(app, signIn, services.reauthentication);
  secondFactorRoutes(app, services);
  accountRoutes(app, {
    ...services,
    signIn: { ...signIn.isSetUp, passkey: services.passkeys.isPossible },
    signInProviders: signIn.providers,
    isOperator: operator.isOperator,
    billing: config.billing,
    contact: {
      ...(config.forumUrl !== '' && { forum: config.forumUrl }),
      ...(config.supportUrl !== '' && { support: config.supportUrl }),
    },
    brand: brandOf(config),
  });
  linkRoutes(app, links);
  authorizationRoutes(app, authorizations);
  orgRoutes(app, services);
  operatorRoutes(app, operator);
  operatedJobRoutes(app, services.operatedJobs);
  operatedLimitRoutes(app, services.operatedLimits);
  operatedSettingRoutes(app, services.operatedSettings);
  backupRoutes(app, services.backups);
  peopleRoutes(app, services.people);
  operatorHealthRoutes(app, services.health);
  providerRoutes(app, providers);
  contentRoutes(app, content);
  profilePictureRoutes(app, services.profilePictures);
  changeRoutes(app, services);
  versionRoutes(app, services);
  uploadRoutes(app, services.uploads);
  searchRoutes(app, services.searching);
  usageRoutes(app, services.usage);
  overviewRoutes(app, services);
  knowledgeRoutes(app, services.keeping);
  hintRoutes(app, services.hints);
  liveRoutes(app, services.liveStreams);
  archiveRoutes(app, { archives: services.archives, links: services.access });
  weblinkRoutes(app, services);
  spaceRoutes(app, services.spaces);
  auditRoutes(app, services.audit);
  activityRoutes(app, services.activity);
  linkFileRoutes(app, services);
  noticeRoutes(app, services.notices);
  purchaseRoutes(app, services.purchases);
  notificationRoutes(app, {
    subscriptions: services.subscriptions,
    recurly: services.billing?.recurly,
    key: config.recurlyWebhookKey,
    now: services.now,
    later: services.background.start,
  });
  openapiRoutes(app, version);
  agentRoutes(app, services);
  deviceRoutes(app, services);
  programRoutes(app, services);
  directoryRoutes(app, services);
  davRoutes(app, services);
  s3Routes(app, services);
  downloadRoutes(app, { file: builtClient, bundles: config.clientBundles || builtBundles, signingKey: services.clientKey });
  brandRoutes(app, config);
  webRoutes(app, builtWebApp, services.publicShares.exists);
  await app.ready();
  return app;
}
