import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { mime } from '@fastify/send';
import fastifyStatic from '@fastify/static';
import {
  afterSignIn,
  appError,
  isFlowOrigin,
  isSharePage,
  isSignInProvider,
  linkPageMeant,
  matchRoute,
  safePath,
  signInPath,
} from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerUnknownCall } from '#/platform/http/on-error.ts';
import { type Query, one } from '#/platform/http/query.ts';
import { findAssets } from './assets.ts';

/** The app, and the page of a share. */
const pages = { app: '/index.html', share: '/share.html' } as const;

/** Whether a share with that id exists and can be opened now. */
type IsShared = (weblinkId: string) => Promise<boolean>;

/**
 * Serves the built web app from `folder`: its files, the page of a share under the paths of shares, and the app under every other path of the route map. Redirects paths that only omit `/link/auth`.
 * Elsewhere, and for shares that do not exist, serves the same with 404.
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
    // As the browser sees it: percent signs that stand for no text have been made routable.
    const page = isSharePage(pathOf(request.originalUrl)) ? pages.share : pages.app;
    if (!assets().has(page))
      return reply.code(503).type('text/plain; charset=utf-8').send('The web app is not built yet: npm start builds it.\n');
    reply.header('cache-control', 'no-cache');
    if (await exists(pathOf(request.url), isShared)) return reply.sendFile(page, folder, { cacheControl: false });
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
    const path = pathOf(request.url);
    if (path === '/rest' || path.startsWith('/rest/')) return answerUnknownCall(app, request, reply);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw appError('METHOD_NOT_ALLOWED', {});
    if (isVaultWorker.test(path)) reply.header('content-security-policy', workerPolicy);
    if (path !== pages.app && path !== pages.share && assets().has(path)) return reply.code(200).sendFile(path, folder, cachingOf(path));
    const meant = linkPageMeant(path);
    return meant === undefined ? sendPage(request, reply) : reply.redirect(meant + request.url.slice(path.length));
  });
}

/** Only the worker that holds the keys of vaults may compile WebAssembly, and it loads nothing but its own modules. */
const isVaultWorker = /^\/assets\/vault-worker-[\w-]+\.js$/;
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

const pathOf = (url: string): string => url.split('?')[0] ?? '/';

/** Names in `assets` change with their content, so browsers may cache those files forever; the others are checked each time. */
const cachingOf = (path: string) => (path.startsWith('/assets/') ? { immutable: true, maxAge: '365d' } : { maxAge: 0 });

/** The status is for programs and search engines; people read the page. */
async function exists(path: string, isShared: IsShared): Promise<boolean> {
  const found = matchRoute(path);
  if (found?.route.name !== 'publicLink' && found?.route.name !== 'publicGallery') return found !== undefined;
  return isShared(found.splat.split('/')[0] ?? '');
}
