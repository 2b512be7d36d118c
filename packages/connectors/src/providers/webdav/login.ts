import { randomBytes } from 'node:crypto';
import { ConnectorError } from '../../core/error.ts';
import { type Challenge, parseChallenges } from './challenge.ts';
import type { WebdavConfig } from './config.ts';
import { bestDigest, digestHeader } from './digest.ts';

/** Signs requests in. */
export interface Login {
  /** The `Authorization` header for a request; undefined as long as the server must first say how. */
  authorize(method: string, uri: string): string | undefined;
  /** The server took the login of that header. */
  accepted(): void;
  /** The server refused that header (or its absence): whether the next try may succeed. Throws ConnectorError `unauthorized` or `authType` when not. */
  refused(sent: string | undefined, wwwAuthenticate: string | undefined): void;
}

/** The login that the link's config asks for; the other scheme is never used in its place, so that a server cannot talk a client out of Digest. */
export const createLogin = (config: WebdavConfig): Login => (config.authType === 'basic' ? basicLogin(config) : digestLogin(config));

const unauthorized = () => new ConnectorError('unauthorized', 'the server refused the login');

const wantsOther = (challenges: readonly Challenge[]): boolean => challenges.length > 0;

/** RFC 7617. Sent with the first request already: over TLS, or where the user chose to go without. */
function basicLogin({ username, password }: WebdavConfig): Login {
  const header = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return {
    authorize: () => header,
    accepted: () => undefined,
    refused(_sent, wwwAuthenticate) {
      const challenges = parseChallenges(wwwAuthenticate);
      if (!challenges.some(({ scheme }) => scheme === 'basic') && wantsOther(challenges))
        throw new ConnectorError('authType', 'the server does not offer Basic');
      throw unauthorized();
    },
  };
}

/** RFC 7616. A nonce is used until the server wants another. */
function digestLogin({ username, password }: WebdavConfig): Login {
  let parameters: Challenge['parameters'] | undefined;
  let cnonce = '';
  let count = 0;
  let proven = false;
  return {
    authorize(method, uri) {
      if (!parameters) return undefined;
      count += 1;
      return digestHeader(method, uri, { username, password, parameters, count, cnonce });
    },
    accepted() {
      proven = true;
    },
    refused(sent, wwwAuthenticate) {
      const challenges = parseChallenges(wwwAuthenticate);
      const best = bestDigest(challenges);
      if (!best) throw wantsOther(challenges) ? new ConnectorError('authType', 'the server does not offer Digest') : unauthorized();
      // Not every server says `stale` when it is only the nonce that it has forgotten.
      const isStale = best.parameters['stale']?.toLowerCase() === 'true' || (proven && best.parameters['nonce'] !== parameters?.['nonce']);
      if (sent !== undefined && !isStale) throw unauthorized();
      [parameters, cnonce, count, proven] = [best.parameters, randomBytes(16).toString('hex'), 0, false];
    },
  };
}
