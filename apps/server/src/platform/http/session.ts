import { appError, cookies } from '@sheaf/contract';
import type { FastifyRequest } from 'fastify';
import { readCookie } from './cookies.ts';

/** The caller of a request. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  /** The tag a write must send back; undefined for a bearer token, which needs no protection against cross-site requests. */
  readonly rTag: string | undefined;
}

/** Finds the owner of a session cookie; synchronously when cached, undefined when unknown, expired or ended. */
export type FindCaller = (token: string) => Caller | undefined | Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    findCaller: FindCaller;
    /** Like `findSession`, for a command-line client's token. */
    findBearer: FindCaller;
    /** Scheme, host and port by which browsers reach this installation. */
    publicOrigin: string;
  }
}

/** The caller of the request, or undefined for a visitor. */
export function callerOf(request: FastifyRequest): Caller | undefined | Promise<Caller | undefined> {
  const bearer = bearerToken(request.headers.authorization);
  // A request with a bearer token is judged by it alone: a cookie does not replace an invalid token.
  if (bearer !== undefined) return request.server.findBearer(bearer);
  const token = readCookie(request.headers.cookie, cookies.session);
  return token === undefined || token === '' ? undefined : request.server.findCaller(token);
}

/** The token of an Authorization header (RFC 6750 §2.1); undefined for other schemes, such as the one of a reverse proxy. */
function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(.*)$/i.exec(authorization ?? '')?.[1]?.trim();
}

/** Refuses, with 104, calls of command-line clients: a leaked token must not be enough to take over the account. */
export function requireBrowser({ rTag }: Caller): void {
  if (rTag === undefined) throw appError('INVALID_SESSION', {});
}

/**
 * Whether a write comes from a page of this installation, or from a program that is no browser: by Sec-Fetch-Site if sent (Fetch Metadata, W3C), else
 * by Origin (RFC 6454), which must name this host or the public one.
 */
export function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  if (origin === undefined) return true;
  return origin === request.server.publicOrigin || (URL.canParse(origin) && new URL(origin).host === request.headers.host);
}
