import { type SignInAnswer, cookies } from '@sheaf/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, writeCookie } from '#/platform/http/cookies.ts';
import type { Entered, Opened } from './session-opener.ts';
import type { Device } from './sessions.ts';

/** Lifetime of the cookies in seconds; the server decides when the session ends. */
const maxAge = 365 * 86_400;

/** Form of our device tokens; other cookie values are ignored. */
const deviceToken = /^[\w-]{20,100}$/;

export function deviceOf({ headers, ip }: FastifyRequest): Device {
  const token = readCookie(headers.cookie, cookies.device);
  return { userAgent: headers['user-agent'] ?? '', address: ip, ...(token !== undefined && deviceToken.test(token) && { token }) };
}

/** Sets the session's cookies: `sid`, which no script can read, `sh`, which the page sends back as rTag, and the device token. */
export function sendSession(reply: FastifyReply, { token, device, session }: Opened): void {
  const secure = isSecure(reply);
  reply.header('set-cookie', [
    writeCookie(cookies.session, token, { secure, httpOnly: true, maxAge }),
    writeCookie(cookies.tag, session.rTag, { secure, httpOnly: false, maxAge }),
    writeCookie(cookies.device, device, { secure, httpOnly: true, maxAge }),
  ]);
}

/** Sets the cookie of the device token. */
export function sendDevice(reply: FastifyReply, device: string): void {
  reply.header('set-cookie', writeCookie(cookies.device, device, { secure: isSecure(reply), httpOnly: true, maxAge }));
}

/** Answers a sign-in step; with a session, sets its cookies. */
export function sendEntered(reply: FastifyReply, entered: Entered): SignInAnswer {
  if (!('opened' in entered)) return entered;
  sendSession(reply, entered.opened);
  return entered.opened.session;
}

/** Deletes both cookies. */
export function clearSession(reply: FastifyReply): void {
  const secure = isSecure(reply);
  reply.header('set-cookie', [
    writeCookie(cookies.session, '', { secure, httpOnly: true, maxAge: 0 }),
    writeCookie(cookies.tag, '', { secure, httpOnly: false, maxAge: 0 }),
  ]);
}

export const isSecure = (reply: FastifyReply): boolean => reply.server.publicOrigin.startsWith('https:');
