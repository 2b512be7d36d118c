import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ConnectionKeys } from './connection-keys.ts';
import { Refusal } from './refusal.ts';
import type { Throttle } from './throttle.ts';

export interface Account {
  readonly user: string;
  readonly password: string;
}

interface Deps {
  /** Absent: nobody signs in with a password. */
  readonly account?: Account;
  readonly keys: Pick<ConnectionKeys, 'verify'>;
  readonly throttle: Throttle;
}

interface Claim {
  /** Whose failures count together. */
  readonly who: string;
  readonly check: () => boolean | Promise<boolean>;
}

/** RFC 7617 and RFC 6750 say how a server asks for these. */
const challenge = 'Basic realm="Sheaf", charset="UTF-8", Bearer realm="Sheaf"';
/** Characters of a name that tell failures apart: what is remembered of strangers stays small. */
const nameLimit = 100;
const unauthorized = () => new Refusal('unauthorized', 'the login is wrong', { headers: { 'www-authenticate': challenge } });

/** Gives the check that stands before every call: it rejects with `unauthorized`, or `rateLimited` after too many failures of the same user from the same address. */
export function createLogin({ account, keys, throttle }: Deps): (request: IncomingMessage) => Promise<void> {
  const key = randomBytes(32);
  const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  // Digests are of one length, so that the comparison tells nothing, not even how long the right one is.
  const isSame = (given: string, right: string): boolean => timingSafeEqual(digest(given), digest(right));

  function claimOf({ headers, socket }: IncomingMessage): Claim | undefined {
    const [, scheme = '', token = ''] = /^(basic|bearer) +([A-Za-z0-9+/._~-]+=*)$/i.exec(headers.authorization ?? '') ?? [];
    const text = scheme.toLowerCase() === 'basic' ? Buffer.from(token, 'base64').toString('utf8') : token;
    const cut = text.indexOf(scheme.toLowerCase() === 'basic' ? ':' : '.');
    if (cut === -1) return undefined;
    const [name, secret] = [text.slice(0, cut), text.slice(cut + 1)];
    const who = `${socket.remoteAddress} ${scheme.toLowerCase()} ${name.slice(0, nameLimit)}`;
    if (scheme.toLowerCase() === 'bearer') return { who, check: () => keys.verify(name, secret) };
    return { who, check: () => account !== undefined && [isSame(name, account.user), isSame(secret, account.password)].every(Boolean) };
  }

  return async (request) => {
    const claim = claimOf(request);
    if (!claim) throw unauthorized();
    const wait = throttle.wait(claim.who);
    if (wait > 0) throw new Refusal('rateLimited', 'too many failed logins', { headers: { 'retry-after': String(wait) } });
    if (await claim.check()) return throttle.succeeded(claim.who);
    throttle.failed(claim.who);
    throw unauthorized();
  };
}
