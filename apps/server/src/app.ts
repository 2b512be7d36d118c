import { join } from 'node:path';
import { type FastifyBaseLogger, type FastifyInstance, LogController, fastify } from 'fastify';
import { accountRoutes } from './account/routes.ts';
import { archiveRoutes } from './archive/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { authCodeRoutes } from './auth-codes/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { signInRoutes } from './auth/sign-in-routes.ts';
import { authorizationRoutes } from './authorization/routes.ts';
import { cardFormOrigins } from './billing/billing.ts';
import { contentRoutes } from './content/routes.ts';
import { databaseRow } from './db/unavailable.ts';
import { downloadRoutes } from './downloads/routes.ts';
import { encryptionRoutes } from './encryption/routes.ts';
import { handoffRoutes } from './handoff/routes.ts';
import { acceptForms } from './http/forms.ts';
import { healthRoutes } from './http/health.ts';
import { refuseUnknownHosts } from './http/known-hosts.ts';
import { metricsRoutes } from './http/metrics.ts';
import { answerErrors } from './http/on-error.ts';
import { RequestLog } from './http/request-log.ts';
import { routableUrl } from './http/routable-url.ts';
import { sendSecurityHeaders } from './http/security-headers.ts';
import { refuseSlowBodies } from './http/slow-bodies.ts';
import { linkFileRoutes } from './link-files/routes.ts';
import { linkRoutes } from './links/routes.ts';
import { noticeRoutes } from './notices/routes.ts';
import { openapiRoutes } from './openapi/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { orgRoutes } from './orgs/routes.ts';
import { providerRoutes } from './providers/routes.ts';
import { notificationRoutes } from './purchase/notifications.ts';
import { purchaseRoutes } from './purchase/routes.ts';
import { secondFactorRoutes } from './second-factors/routes.ts';
import type { Services } from './services.ts';
import { spaceRoutes } from './spaces/routes.ts';
import { webRoutes } from './web/routes.ts';
import { weblinkRoutes } from './weblinks/routes.ts';

/** Bytes of a form or JSON body; file bodies are streamed and not counted here. */
const bodyLimit = 1_048_576;
/** The API's version: what a client may rely on changes only with it. */
const version = '0.1.0';
const builtWebApp = join(import.meta.dirname, '../../web/dist');
const builtClient = join(import.meta.dirname, '../../cli/dist/sheaf-cli.tgz');

/** The HTTP side of the services, ready to listen. Closing it does not close the services. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, log, sessions, auth, signingUp, signIn, links, authorizations, operator, providers, content } = services;
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    childLoggerFactory: (logger, bindings, options) => new RequestLog(logger, bindings, options),
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    bodyLimit,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { maxParamLength: 4096 },
    // Uploads and downloads last as long as they move, and the connectors' deadlines watch over silence; forms have a limit of their own.
    requestTimeout: 0,
    forceCloseConnections: 'idle',
  });
  app.decorate('findCaller', sessions.find);
  app.decorate('findBearer', services.authCodes.find);
  app.decorate('publicOrigin', config.publicUrl);
  sendSecurityHeaders(app, config.publicUrl.startsWith('https:'), cardFormOrigins(config));
  refuseUnknownHosts(app, config.allowedHosts);
  refuseSlowBodies(app);
  acceptForms(app);
  answerErrors(app, databaseRow);
  healthRoutes(app, { ping: services.ping });
  metricsRoutes(app, { token: config.metricsToken, loopback: config.isPrivate }, services.jobs.metrics);

  authRoutes(app, auth, signingUp);
  authCodeRoutes(app, services);
  encryptionRoutes(app, services.encryption);
  handoffRoutes(app, services.handoffs);
  signInRoutes(app, signIn, services.proving);
  secondFactorRoutes(app, services);
  accountRoutes(app, {
    ...services,
    signIn: { ...signIn.isSetUp, passkey: services.passkeys.isPossible },
    isOperator: operator.isOperator,
    billing: config.billing,
    contact: {
      ...(config.forumUrl !== '' && { forum: config.forumUrl }),
      ...(config.supportUrl !== '' && { support: config.supportUrl }),
    },
  });
  linkRoutes(app, links);
  authorizationRoutes(app, authorizations);
  orgRoutes(app, services);
  operatorRoutes(app, operator);
  providerRoutes(app, providers);
  contentRoutes(app, content);
  archiveRoutes(app, { archives: services.archives, links: services.reach });
  weblinkRoutes(app, services);
  spaceRoutes(app, services.spaces);
  auditRoutes(app, services.audit);
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
  downloadRoutes(app, builtClient);
  webRoutes(app, builtWebApp, services.visiting.exists);
  await app.ready();
  return app;
}
