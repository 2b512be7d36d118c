import type { SignInProvider } from '@sheaf/contract';
import type { Configuration, IDToken } from 'openid-client';
import { type ClaimRules, type Followed, followedOf, lacksAny, noRules, text } from './claims.ts';
import { type LoggedOut, type LogoutKeys, logoutKeys, readLogoutToken } from './logout-token.ts';
import { fetchFromProvider } from './provider-fetch.ts';

/** The provider's statements about the user. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** Whether the provider confirms that the user reads mail at that address. */
  readonly emailVerified: boolean;
  /** The provider's id of its session. */
  readonly sid: string | undefined;
  readonly followed: Followed;
}

/** Why a sign-in at a provider failed: declined by the user, provider unreachable, or an answer that cannot be trusted. */
export interface Trouble {
  readonly trouble: 'declined' | 'unreachable' | 'refused';
  readonly cause: unknown;
}

/** Secrets of one sign-in, compared with the provider's answer. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A sign-in provider; its faults and those of the network are returned, never thrown. */
export interface Openid {
  /** Creates secrets and the provider's address to redirect the browser to. */
  begin(): Promise<{ url: string; secrets: Secrets } | Trouble>;
  /** Redeems the provider's answer, given as the whole address the browser returned to. */
  finish(answer: URL, secrets: Secrets): Promise<Claims | Trouble>;
  /** Reads a logout token, with which the provider says that it has ended sessions. */
  readLogout(token: string): Promise<LoggedOut | Trouble>;
  /** Where the browser ends its session at the provider, and returns to `returnTo`; undefined where that is not wanted, or not possible. */
  signOutUrl(returnTo: string): Promise<string | undefined>;
}

interface Options {
  readonly provider: SignInProvider;
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
  readonly prompt?: string;
  /** Whether its addresses count as verified even if it does not say so. */
  readonly trustsEmail?: boolean;
  /** Whether signing out here signs out there. */
  readonly signsOutThere?: boolean;
  /** What is asked besides the standard scopes. */
  readonly scopes?: string;
  readonly rules?: ClaimRules;
}

/** Timeout of each request to the provider, in seconds. */
const timeoutSeconds = 10;
/** The tenant of Microsoft's personal accounts, whose addresses Microsoft has verified (learn.microsoft.com, ID token claims: tid). */
const microsoftPrivateAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad';
/** The client library's codes for failures of the connection rather than of the answer. */
const wayCodes = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);

const library = () => import('openid-client');

/** Sign-in by OpenID Connect Core 1.0 §3.1, the code flow, with PKCE (RFC 7636), state and nonce. Loads the library with the first sign-in. */
export function createOpenid({
  provider,
  issuerUrl,
  clientId,
  clientSecret,
  redirectUri,
  prompt,
  trustsEmail = false,
  signsOutThere = false,
  scopes = '',
  rules = noRules,
}: Options): Openid {
  let keys: LogoutKeys | undefined;
  let known: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await library();
    const issuer = new URL(issuerUrl);
    // Only if the operator configures http://.
    const insecure = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
    // Checks the signatures of ID tokens too; by default the library relies on TLS for those that the token endpoint returns.
    const execute = [...insecure, enableNonRepudiationChecks];
    return discovery(issuer, clientId, clientSecret, undefined, { timeout: timeoutSeconds, execute, [customFetch]: fetchFromProvider });
  }

  /** Fetches the provider's metadata once; a failure is not cached. */
  async function configuration(): Promise<Configuration | Trouble> {
    known ??= discover();
    try {
      return await known;
    } catch (error) {
      known = undefined;
      return { trouble: 'unreachable', cause: error };
    }
  }

  /** Adds claims from the UserInfo endpoint that the ID token lacks (OpenID Connect Core 1.0, section 5.3). The token's claims take precedence. */
  async function completed(config: Configuration, claims: IDToken, accessToken: string): Promise<IDToken> {
    if (!lacksAny(claims, rules) || config.serverMetadata().userinfo_endpoint === undefined) return claims;
    const { fetchUserInfo } = await library();
    // The library refuses an answer about another person.
    return { ...(await fetchUserInfo(config, accessToken, claims.sub)), ...claims };
  }

  return {
    async begin() {
      const config = await configuration();
      if ('trouble' in config) return config;
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } = await library();
      const secrets = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: ['openid email profile', ...(scopes === '' ? [] : [scopes])].join(' '),
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        ...(prompt !== undefined && { prompt }),
      });
      return { url: url.href, secrets };
    },

    async finish(answer, { state, nonce, codeVerifier }) {
      const config = await configuration();
      if ('trouble' in config) return config;
      const { AuthorizationResponseError, authorizationCodeGrant } = await library();
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true };
        const tokens = await authorizationCodeGrant(config, answer, checks);
        const claims = tokens.claims();
        if (!claims) return { trouble: 'refused', cause: new Error('the answer holds no ID token') };
        return readClaims(provider, await completed(config, claims, tokens.access_token), { trustsEmail, rules });
      } catch (error) {
        if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return { trouble: 'declined', cause: error };
        return { trouble: isWay(error) ? 'unreachable' : 'refused', cause: error };
      }
    },

    async readLogout(token) {
      const config = await configuration();
      if ('trouble' in config) return config;
      const { issuer, jwks_uri: keysAt } = config.serverMetadata();
      if (keysAt === undefined) return { trouble: 'refused', cause: new Error('the provider publishes no keys') };
      try {
        keys ??= await logoutKeys(keysAt);
        return await readLogoutToken(token, { issuer, clientId, keys });
      } catch (error) {
        return { trouble: isWay(error) ? 'unreachable' : 'refused', cause: error };
      }
    },

    async signOutUrl(returnTo) {
      if (!signsOutThere) return undefined;
      const config = await configuration();
      if ('trouble' in config || config.serverMetadata().end_session_endpoint === undefined) return undefined;
      const { buildEndSessionUrl } = await library();
      return buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href;
    },
  };
}

/** `fetch` rejects with a TypeError whose cause describes the connection's failure. */
const isWay = (error: unknown): boolean =>
  error instanceof Error &&
  ((error instanceof TypeError && error.cause instanceof Error) ||
    ('code' in error && typeof error.code === 'string' && wayCodes.has(error.code)));

interface Reading {
  readonly trustsEmail: boolean;
  readonly rules: ClaimRules;
}

function readClaims(provider: SignInProvider, claims: IDToken, { trustsEmail, rules }: Reading): Claims {
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: text(claims['email']),
    sid: text(claims['sid']),
    emailVerified: trustsEmail || claims['email_verified'] === true || (provider === 'microsoft' && isVerifiedByMicrosoft(claims)),
    followed: followedOf(claims, rules),
  };
}

/**
 * The administrator of any Microsoft tenant can write any address into `email`. Microsoft confirms it only by `xms_edov`, or for personal accounts
 * (https://learn.microsoft.com/entra/identity-platform/optional-claims-reference).
 */
const isVerifiedByMicrosoft = (claims: IDToken): boolean =>
  claims['tid'] === microsoftPrivateAccounts || [true, 1, '1', 'true'].some((yes) => claims['xms_edov'] === yes);
