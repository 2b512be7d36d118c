import type { JWTVerifyGetKey } from 'jose';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { fetchFromProvider } from './provider-fetch.ts';

/** Whose sessions have ended at the provider: a person's, one session, or both. */
export interface LoggedOut {
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  /** Epoch seconds. */
  readonly at: number;
}

export type LogoutKeys = JWTVerifyGetKey;

/** Seconds for which a logout token counts, and by which clocks may differ. */
const [longest, leeway] = [300, 60];

const library = () => import('jose');
const event = 'http://schemas.openid.net/event/backchannel-logout';
const LogoutClaims = Type.Object({
  iss: Type.String(),
  iat: Type.Number(),
  jti: Type.String({ minLength: 1 }),
  sub: Type.Optional(Type.String({ minLength: 1 })),
  sid: Type.Optional(Type.String({ minLength: 1 })),
  events: Type.Object({ [event]: Type.Object({}) }),
});

/** The keys with which a provider signs, fetched when they are needed. */
export async function logoutKeys(keysAt: string): Promise<LogoutKeys> {
  const { createRemoteJWKSet, customFetch } = await library();
  return createRemoteJWKSet(new URL(keysAt), { [customFetch]: fetchFromProvider });
}

interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly keys: LogoutKeys;
}

/**
 * Reads a logout token (OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6); throws unless this provider made it for this client. A token that
 * is replayed does no harm: it ends only sessions that began before it was made.
 */
export async function readLogoutToken(token: string, { issuer, clientId, keys }: Expected): Promise<LoggedOut> {
  const { jwtVerify } = await library();
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    maxTokenAge: longest,
    clockTolerance: leeway,
    // No HMAC algorithms: anybody who knows the client's secret could end sessions.
    algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  });
  if (!Check(LogoutClaims, payload)) throw new Error('the token names no session that has ended');
  const { sub, sid, iat } = payload;
  if (sub === undefined && sid === undefined) throw new Error('the token names nobody');
  // An ID token has one, and must not pass for a logout token.
  if ('nonce' in payload) throw new Error('the token is an ID token');
  return { issuer, subject: sub, sid, at: iat + leeway };
}
