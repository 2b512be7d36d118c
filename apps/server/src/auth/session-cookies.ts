import { type SignInAnswer, cookies } from '@sheaf/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { writeCookie } from '#/http/cookies.ts';
import type { Entered, Opened } from './entering.ts';
import type { Device } from './sessions.ts';

/** Seconds the browser keeps the cookies; the server decides when the session ends. */
const maxAge = 365 * 86_400;

export const deviceOf = (request: FastifyRequest): Device => ({ userAgent: request.headers['user-agent'] ?? '', address: request.ip });

/** Gives the browser its session: `sid`, which no script can read, and `sh`, which the page sends back as rTag. */
export function sendSession(reply: FastifyReply, { token, session }: Opened): void {
  const secure = isSecure(reply);
  reply.header('set-cookie', [
    writeCookie(cookies.session, token, { secure, httpOnly: true, maxAge }),
    writeCookie(cookies.tag, session.rTag, { secure, httpOnly: false, maxAge }),
  ]);
}

/** Tells the page how a sign-in went on; with a session come its cookies. */
export function sendEntered(reply: FastifyReply, entered: Entered): SignInAnswer {
  if (!('opened' in entered)) return entered;
  sendSession(reply, entered.opened);
  return entered.opened.session;
}

/** Takes both cookies away. */
export function clearSession(reply: FastifyReply): void {
  const secure = isSecure(reply);
  reply.header('set-cookie', [
    writeCookie(cookies.session, '', { secure, httpOnly: true, maxAge: 0 }),
    writeCookie(cookies.tag, '', { secure, httpOnly: false, maxAge: 0 }),
  ]);
}

export const isSecure = (reply: FastifyReply): boolean => reply.server.publicOrigin.startsWith('https:');
