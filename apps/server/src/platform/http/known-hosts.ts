import { isIPv4, isIPv6 } from 'node:net';
import { appError } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';

/** Health checks may use any host name; their answers reveal nothing. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/**
 * Refuses requests whose Host header is not a known name. Otherwise an attacker's page, whose own name resolves to this server's address (DNS
 * rebinding), would share Sheaf's origin and could read a private installation. A plain IP address cannot be rebound. Throws UNKNOWN_HOST, HTTP
 * status 421 (RFC 9110, section 15.5.20).
 */
export function refuseUnknownHosts(app: FastifyInstance, names: readonly string[]): void {
  const known = new Set(names);
  app.addHook('onRequest', (request, _reply, done) => {
    // Reads the header itself: request.hostname may come from X-Forwarded-Host, which a browser's page can set.
    const { host } = request.headers;
    const isKnown = host === undefined || isKnownHost(known, host) || probes.has(request.url);
    done(isKnown ? undefined : appError('UNKNOWN_HOST', {}));
  });
}

function isKnownHost(known: ReadonlySet<string>, host: string): boolean {
  const address = /^\[([^\]]+)\](:\d+)?$/.exec(host)?.[1];
  if (address !== undefined) return isIPv6(address);
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return isIPv4(name) || known.has(name);
}
