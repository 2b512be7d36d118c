import { appError, cookies } from '@sheaf/contract';
import type { FastifyRequest } from 'fastify';
import { readCookie } from './cookies.ts';

/** Who asks. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  /** What a write must send back; undefined for a caller without cookies (a bearer token), who cannot be tricked into a request. */
  readonly rTag: string | undefined;
}

/** Finds whom a session cookie belongs to; at once when it is remembered, undefined when it is unknown, expired or ended. */
export type FindCaller = (token: string) => Caller | undefined | Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    findCaller: FindCaller;
    /** The same for the token of a command-line client. */
    findBearer: FindCaller;
    /** Scheme, host and port under which browsers reach this installation. */
    publicOrigin: string;
  }
}

/** Whoever sent the request, or undefined for a visitor. */
export function callerOf(request: FastifyRequest): Caller | undefined | Promise<Caller | undefined> {
  const bearer = bearerToken(request.headers.authorization);
  // A request says in one way who sends it: a token that is not valid is not made up for by a cookie.
  if (bearer !== undefined) return request.server.findBearer(bearer);
  const token = readCookie(request.headers.cookie, cookies.session);
  return token === undefined || token === '' ? undefined : request.server.findCaller(token);
}

/** The token of an Authorization header (RFC 6750 §2.1), if it is of that scheme; what a reverse proxy asks of browsers is of another. */
function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim();
}

/** Refuses, with 104, what a command-line client may not do: whoever finds its token must not be able to take the account over. */
export function requireBrowser({ rTag }: Caller): void {
  if (rTag === undefined) throw appError('INVALID_SESSION', {});
}

/**
 * Whether a write comes from a page of this installation, or from a program that is no browser: by Sec-Fetch-Site where the browser sends
 * it (Fetch Metadata, W3C), else by Origin (RFC 6454), which must name this host or the public one.
 */
export function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined) return true;
  return origin === request.server.publicOrigin || (URL.canParse(origin) && new URL(origin).host === request.headers.host);
}
