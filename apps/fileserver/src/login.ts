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
  /** Absent: password sign-in is off. */
  readonly account?: Account;
  readonly keys: Pick<ConnectionKeys, 'verify'>;
  readonly throttle: Throttle;
}

interface Claim {
  /** Key by which failures are counted. */
  readonly who: string;
  readonly check: () => boolean | Promise<boolean>;
}

/** Challenges by RFC 7617 and RFC 6750. */
const challenge = 'Basic realm="Sheaf", charset="UTF-8", Bearer realm="Sheaf"';
/** Characters of a name that distinguish failures: bounds the memory that strangers can use. */
const nameLimit = 100;
const unauthorized = () => new Refusal('unauthorized', 'the login is wrong', { headers: { 'www-authenticate': challenge } });

/**
 * Returns the check in front of every call: rejects with `unauthorized`, or `rateLimited` after too many failures of the same user from the same
 * address.
 */
export function createLogin({ account, keys, throttle }: Deps): (request: IncomingMessage) => Promise<void> {
  const key = randomBytes(32);
  const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  // Digests have equal length, so that the comparison reveals nothing, not even the length.
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
