import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { mime } from '@fastify/send';
import fastifyStatic from '@fastify/static';
import { afterSignIn, appError, isFlowOrigin, isSignInProvider, linkPageMeant, matchRoute, safePath, signInPath } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerUnknownCall } from '#/platform/http/on-error.ts';
import { type Query, one } from '#/platform/http/query.ts';
import { findAssets } from './assets.ts';

const page = '/index.html';

/** Whether a share with that id exists and can be opened now. */
type IsShared = (weblinkId: string) => Promise<boolean>;

/**
 * Serves the built web app from `folder`: its files, and its one page under every path of the route map. Redirects paths that only omit `/link/auth`.
 * Elsewhere, and for shares that do not exist, serves the same page with 404.
 */
export function webRoutes(app: FastifyInstance, folder: string, isShared: IsShared): void {
  let found: ReadonlySet<string> | undefined;
  // Read at the first page, so that the start does not wait for it.
  const assets = (): ReadonlySet<string> => (found ??= findAssets(folder));
  // RFC 9239; the sender's table has the obsolete name.
  mime.define({ 'text/javascript': ['js', 'mjs'] }, true);
  // Only lends `sendFile`: which addresses have files is decided here, and an address is never a path.
  app.register(fastifyStatic, { serve: false, preCompressed: true });
  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!assets().has(page))
      return reply.code(503).type('text/plain; charset=utf-8').send('The web app is not built yet: npm start builds it.\n');
    reply.header('cache-control', 'no-cache');
    if (await exists(request.url.split('?')[0] ?? '/', isShared)) return reply.sendFile(page, folder, { cacheControl: false });
    // sendFile would answer conditions and ranges, which ask for something that exists.
    return reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(createReadStream(join(folder, page)));
  }
  app.get<{ Querystring: Query }>('/login/start', async (request, reply) => {
    const { redirectUrl, cancelUrl } = request.query;
    const flowOrigin = one(request.query['flowOrigin']);
    const provider = one(request.query['provider']);
    if (!isSignInProvider(provider)) return sendPage(request, reply);
    const query = new URLSearchParams({
      redirectUrl: safePath(one(redirectUrl), afterSignIn),
      cancelUrl: safePath(one(cancelUrl), '/'),
      ...(isFlowOrigin(flowOrigin) && { flowOrigin }),
    });
    return reply.redirect(`${signInPath(provider)}?${query.toString()}`);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    if (path === '/rest' || path.startsWith('/rest/')) return answerUnknownCall(app, request, reply);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw appError('METHOD_NOT_ALLOWED', {});
    if (isVaultWorker.test(path)) reply.header('content-security-policy', workerPolicy);
    if (path !== page && assets().has(path)) return reply.code(200).sendFile(path, folder, cachingOf(path));
    const meant = linkPageMeant(path);
    return meant === undefined ? sendPage(request, reply) : reply.redirect(meant + request.url.slice(path.length));
  });
}

/** Only the worker that holds the keys of vaults may compile WebAssembly, and it loads nothing but its own modules. */
const isVaultWorker = /^\/assets\/vault-worker-[\w-]+\.js$/;
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** Names in `assets` change with their content, so browsers may cache those files forever; the others are checked each time. */
const cachingOf = (path: string) => (path.startsWith('/assets/') ? { immutable: true, maxAge: '365d' } : { maxAge: 0 });

/** The status is for programs and search engines; people read the page. */
async function exists(path: string, isShared: IsShared): Promise<boolean> {
  const found = matchRoute(path);
  if (found?.route.name !== 'publicLink' && found?.route.name !== 'publicGallery') return found !== undefined;
  return isShared(found.splat.split('/')[0] ?? '');
}
