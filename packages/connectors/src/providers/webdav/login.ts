import { randomBytes } from 'node:crypto';
import { ConnectorError } from '../../core/error.ts';
import { type Challenge, parseChallenges } from './challenge.ts';
import type { WebdavConfig } from './config.ts';
import { bestDigest, digestHeader } from './digest.ts';

/** Adds authentication to requests. */
export interface Login {
  /** Returns the `Authorization` header of a request; undefined until the server has sent a challenge. */
  authorize(method: string, uri: string): string | undefined;
  /** Called when the server accepted that header. */
  accepted(): void;
  /**
   * Called when the server refused that header (or its absence); returns when a retry may succeed, otherwise throws ConnectorError
   * `unauthorized` or `authType`.
   */
  refused(sent: string | undefined, wwwAuthenticate: string | undefined): void;
}

/**
 * Returns the login that the link's config requires; never falls back to the other scheme, so that a server cannot downgrade a client from
 * Digest.
 */
export const createLogin = (config: WebdavConfig): Login => (config.authType === 'basic' ? basicLogin(config) : digestLogin(config));

const unauthorized = () => new ConnectorError('unauthorized', 'the server refused the login');

const wantsOther = (challenges: readonly Challenge[]): boolean => challenges.length > 0;

/** RFC 7617. Sent with the first request: over TLS, or where the user chose plain HTTP. */
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

/** RFC 7616. Reuses a nonce until the server requires another. */
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
      // Some servers do not send `stale` when only the nonce has expired.
      const isStale = best.parameters['stale']?.toLowerCase() === 'true' || (proven && best.parameters['nonce'] !== parameters?.['nonce']);
      if (sent !== undefined && !isStale) throw unauthorized();
      [parameters, cnonce, count, proven] = [best.parameters, randomBytes(16).toString('hex'), 0, false];
    },
  };
}
