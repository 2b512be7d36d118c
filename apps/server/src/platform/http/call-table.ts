import type { Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Method = 'GET' | 'POST';
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Where the calls of the contract are. */
const prefix = '/rest/';
const everyCall = `${prefix}*`;

/** Handlers of each server's calls, keyed by method and path. */
const tables = new WeakMap<Server, Map<string, Handler>>();

/**
 * Serves a call at a literal path. All calls share one route of Fastify for each method: a route for each of the 250 calls, and one more for the HEAD of
 * each GET, took a fifth of a start. Routes of other handlers below `/rest/` go before it.
 */
export function addCall(app: FastifyInstance, method: Method, path: string, handler: Handler): void {
  if (!path.startsWith(prefix) || /[:*]/.test(path)) {
    app.route({ method, url: path, handler });
    return;
  }
  const table = tables.get(app.server) ?? tableOf(app);
  const key = `${method} ${path}`;
  if (table.has(key)) throw new Error(`${key} is served twice`);
  table.set(key, handler);
}

function tableOf(app: FastifyInstance): Map<string, Handler> {
  const table = new Map<string, Handler>();
  tables.set(app.server, table);
  const answer = (request: FastifyRequest, reply: FastifyReply): Promise<unknown> | undefined => {
    const handler = table.get(keyOf(request));
    if (handler) return handler(request, reply);
    reply.callNotFound();
    return undefined;
  };
  for (const method of ['GET', 'POST'] as const) app.route({ method, url: everyCall, handler: answer });
  return table;
}

/** Whether a handler answers that method at that path, be it a call or a route of Fastify. */
export const isServed = (app: FastifyInstance, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string): boolean =>
  (path !== everyCall && app.hasRoute({ method, url: path })) || (tables.get(app.server)?.has(`${method} ${decoded(path)}`) ?? false);

/** The pattern of the route that answers a request, for logs and metrics; undefined when nothing is served at its address. */
export function routeOf(request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions;
  if (url !== everyCall) return url;
  return tables.get(request.server.server)?.has(keyOf(request)) ? pathOf(request) : undefined;
}

/** Fastify answers a HEAD as it does the GET, without the body. */
const keyOf = (request: FastifyRequest): string => `${request.method === 'HEAD' ? 'GET' : request.method} ${pathOf(request)}`;

const pathOf = ({ url }: FastifyRequest): string => decoded(url.split('?', 1)[0] ?? '');

/** As Fastify's router compares literal paths: an escaped slash is none. It has refused a path that cannot be decoded. */
const decoded = (path: string): string => (path.includes('%') ? decodeURI(path) : path);
