import { createPublicKey, createVerify } from 'node:crypto';
import { type Account, type Mount, type OAuth, createOAuth, tokenError } from '../kit/index.ts';

export interface GoogleClient {
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
}

/** A service account with a signing key. */
export interface ServiceAccount extends Account {
  /** PEM. */
  readonly publicKey: string;
  readonly keyId: string;
}

interface Options {
  readonly client: GoogleClient;
  readonly accounts: readonly Account[];
  readonly scopes: readonly string[];
  readonly serviceAccounts?: readonly ServiceAccount[];
  /** URL of the token endpoint, the audience of assertions. */
  readonly tokenUrl?: () => string;
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Google's authorization server: issues a refresh token only for `access_type=offline`, and again only for `prompt=consent`; refresh tokens are not
 * rotated.
 */
export function createGoogleOAuth({ client, accounts, scopes, serviceAccounts = [], tokenUrl = () => '' }: Options): OAuth {
  return createOAuth({
    provider: 'Google',
    client,
    accounts,
    scopes,
    clientAuth: ['body', 'basic'],
    offline: ({ query, isFirst }) =>
      query.get('access_type') === 'offline' && (isFirst || (query.get('prompt') ?? '').split(' ').includes('consent')),
    answer: (standard, { scopes: granted, account }) => ({
      ...standard,
      scope: granted.join(' '),
      ...(granted.includes('openid') && { id_token: idToken(account, client.id) }),
    }),
    grants: {
      [jwtBearer]: (fields) => {
        const { account, scopes: asked } = readAssertion(fields.get('assertion') ?? '', serviceAccounts, tokenUrl());
        const unknown = asked.find((scope) => !scopes.includes(scope));
        if (unknown !== undefined || asked.length === 0)
          throw tokenError('invalid_scope', 'Invalid OAuth scope or ID token audience provided.');
        return { account, scopes: asked, offline: false };
      },
    },
  });
}

export const mountGoogleOAuth = (oauth: OAuth): Mount =>
  oauth.mount({
    at: '/oauth2',
    authorize: '/auth',
    token: '/token',
    revoke: '/revoke',
    extra: {
      access_type: ['online', 'offline'],
      prompt: ['none', 'consent', 'select_account', 'consent select_account'],
      include_granted_scopes: ['true', 'false'],
    },
  });

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Builds an OpenID Connect ID token; its signature is not verified. */
function idToken({ id, email, name }: Account, clientId: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: 'https://accounts.google.com',
    aud: clientId,
    sub: id,
    email,
    email_verified: true,
    name,
    iat: now,
    exp: now + 3600,
  };
  return `${encoded({ alg: 'RS256', typ: 'JWT', kid: 'simulated' })}.${encoded(claims)}.${encoded('signature')}`;
}

/** Verifies a service account's assertion: https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
function readAssertion(assertion: string, known: readonly ServiceAccount[], audience: string) {
  const [head = '', body = '', signature = ''] = assertion.split('.');
  const header = decoded(head);
  const claims = decoded(body);
  const account = known.find(({ email }) => email === claims['iss']);
  if (!account) throw tokenError('invalid_grant', 'Invalid grant: account not found');
  const verify = createVerify('RSA-SHA256').update(`${head}.${body}`);
  const isSigned = verify.verify(createPublicKey(account.publicKey), Buffer.from(signature, 'base64url'));
  if (header['alg'] !== 'RS256' || header['kid'] !== account.keyId || !isSigned)
    throw tokenError('invalid_grant', 'Invalid JWT Signature.');
  const [issued, ends, now] = [Number(claims['iat']), Number(claims['exp']), Date.now() / 1000];
  const isTimely = issued <= now + 60 && ends > now && ends - issued <= 3600;
  if (!isTimely)
    throw tokenError('invalid_grant', 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.');
  if (claims['aud'] !== audience) throw tokenError('invalid_grant', 'Invalid JWT: Failed audience check.');
  return {
    account,
    scopes: typeof claims['scope'] === 'string' ? claims['scope'].split(' ').filter((scope) => scope !== '') : [],
  };
}

function decoded(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw tokenError('invalid_grant', 'Invalid JWT.');
}
