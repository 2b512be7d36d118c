import { afterSignIn, appError, isFlowOrigin, isSignInProvider, linkPageMeant, matchRoute, safePath, signInPath } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerUnknownCall } from '#/platform/http/on-error.ts';
import { type Query, one } from '#/platform/http/query.ts';
import { type Asset, findAssets } from './assets.ts';

type Assets = ReturnType<typeof findAssets>;

/** Whether a share with that id exists and can be opened now. */
type IsShared = (weblinkId: string) => Promise<boolean>;

/**
 * Serves the built web app from `folder`: its files, and its one page under every path of the route map. Redirects paths that only omit `/link/auth`.
 * Elsewhere, and for shares that do not exist, serves the same page with 404.
 */
export function webRoutes(app: FastifyInstance, folder: string, isShared: IsShared): void {
  let found: Assets | undefined;
  // Read at the first page, so that the start does not wait for it.
  const assets = (): Assets => (found ??= findAssets(folder));
  app.get<{ Querystring: Query }>('/login/start', async (request, reply) => {
    const { redirectUrl, cancelUrl } = request.query;
    const flowOrigin = one(request.query['flowOrigin']);
    const provider = one(request.query['provider']);
    if (!isSignInProvider(provider)) return sendPage(request, reply, assets(), isShared);
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
    const asset = assets().get(path);
    if (asset && path !== '/index.html') return sendAsset(request, reply.code(200), asset());
    const meant = linkPageMeant(path);
    return meant === undefined ? sendPage(request, reply, assets(), isShared) : reply.redirect(meant + request.url.slice(path.length));
  });
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, assets: Assets, isShared: IsShared): Promise<FastifyReply> {
  const page = assets.get('/index.html');
  if (!page) return reply.code(503).type('text/plain; charset=utf-8').send('The web app is not built yet: npm start builds it.\n');
  return sendAsset(request, reply.code((await exists(request.url.split('?')[0] ?? '/', isShared)) ? 200 : 404), page());
}

/** The status is for programs and search engines; people read the page. */
async function exists(path: string, isShared: IsShared): Promise<boolean> {
  const found = matchRoute(path);
  if (found?.route.name !== 'publicLink' && found?.route.name !== 'publicGallery') return found !== undefined;
  return isShared(found.splat.split('/')[0] ?? '');
}

async function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): Promise<FastifyReply> {
  reply
    .header('etag', asset.etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (reply.statusCode === 200 && request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
  const { bytes, encoding } = await asset.encoded(request.headers['accept-encoding']?.toString() ?? '');
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(asset.type).send(bytes);
}
