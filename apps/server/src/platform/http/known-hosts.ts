import { isIP } from 'node:net';
import { appError } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';

/** What a load balancer asks by whatever name it knows; the answers tell nothing. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Refuses requests that call this server by a name it does not have. Without it a page of an attacker, whose own name is made to resolve to this
 * server's address (DNS rebinding), would be of the same origin as Sheaf and could read a private installation. A plain address cannot be rebound.
 * Throws UNKNOWN_HOST, HTTP status 421 (RFC 9110, section 15.5.20).
 */
export function refuseUnknownHosts(app: FastifyInstance, names: readonly string[]): void {
  const known = new Set(names);
  app.addHook('onRequest', (request, _reply, done) => {
    // The header itself: request.hostname may come from a proxy's X-Forwarded-Host, which a browser's page cannot be trusted with.
    const { host } = request.headers;
    const isKnown = host === undefined || isKnownHost(known, host) || probes.has(request.url);
    done(isKnown ? undefined : appError('UNKNOWN_HOST', {}));
  });
}

function isKnownHost(known: ReadonlySet<string>, host: string): boolean {
  const address = /^\[([^\]]+)\](:\d+)?$/.exec(host)?.[1];
  if (address !== undefined) return isIP(address) === 6;
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return isIP(name) === 4 || known.has(name);
}
