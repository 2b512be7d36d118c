import type { IncomingMessage } from 'node:http';
import type { Mount } from '../host.ts';
import type { Account, Identity, RejectedToken } from '../identity.ts';
import type { Handler } from '../request.ts';
import { createAuthorize } from './oauth-authorize.ts';
import { type OAuthPaths, describeOAuth } from './oauth-description.ts';
import type { OAuthOptions, OAuthState } from './oauth-options.ts';
import { type TokenManners, createTokenEndpoint, fieldsOf } from './oauth-token.ts';
import { type Issued, createTokens } from './oauth-tokens.ts';

export type OAuth = ReturnType<typeof createOAuth>;

/** A provider's authorization server: its page, its token endpoint, its tokens, and controls for tests. */
export function createOAuth(options: OAuthOptions) {
  const { provider, client, accounts } = options;
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const accessSeconds = options.accessSeconds === null ? undefined : (options.accessSeconds ?? 3600);
  const tokens = createTokens({ rotation: options.rotation ?? 'none', accessSeconds, refreshSeconds: options.refreshSeconds, now });
  const state: OAuthState = { options, codes: new Map(), redirectUris: new Set(client.redirectUris), now };
  const manners: TokenManners = { refreshes: 0, refused: 0, refuses: false, slow: 0, held: Promise.resolve() };
  const { authorize, decide } = createAuthorize(state, tokens);
  const token = createTokenEndpoint(state, tokens, manners);

  /** Revokes the grant of the token in the form or the query. An unknown token is no error (RFC 7009, 2.2). */
  const revoke: Handler = (request) => {
    tokens.revoke(fieldsOf(request).get('token') ?? '');
    return {};
  };

  const find = (email: string): Account => {
    const account = accounts.find((one) => one.email === email || one.id === email);
    if (!account) throw new Error(`${provider} has no account ${email}`);
    return account;
  };

  return {
    accounts,
    client,
    /** Routes for providers that describe these endpoints themselves; list them in the mount's `open` as well. */
    handlers: { authorize, decide, token, revoke },
    /** The endpoints as a separate mount, for providers whose description omits them. */
    mount({ at, ...paths }: OAuthPaths & { readonly at: string }): Mount {
      const { authorize: page, token: exchangePath, tokenMethod = 'POST', revoke: end } = paths;
      return {
        at,
        description: describeOAuth(paths),
        open: 'all',
        // The provider's general errors before these endpoints are reached.
        alsoStatuses: { 400: null, 404: null, 429: null, 501: null, 503: null },
        routes: {
          [`GET ${page}`]: authorize,
          [`POST ${page}`]: decide,
          [`${tokenMethod} ${exchangePath}`]: token,
          ...(end === undefined ? {} : { [`POST ${end}`]: revoke }),
        },
      };
    },
    /** Authenticates a request for the simulator. */
    authenticate(incoming: IncomingMessage): Identity | RejectedToken {
      const bearer = /^Bearer (.+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
      return tokens.check(options.tokenFrom ? options.tokenFrom(incoming) : bearer);
    },
    /** Returns the identity of a token. */
    check: tokens.check,
    /** Registers another redirect URI. */
    register: (redirectUri: string): void => void state.redirectUris.add(redirectUri),
    /** Issues tokens without a browser. `email` may be the account's id. `seconds` is the access token's lifetime. */
    grant(email: string, scopes: readonly string[] = options.scopes, seconds?: number): Issued {
      return tokens.issue({ account: find(email), scopes, offline: true }, seconds);
    },
    /** Simulates a person in a browser at `authorizeUrl`; returns the URL to which they are redirected. */
    async visit(authorizeUrl: string, person: { readonly email: string } | 'declines'): Promise<string> {
      const shown = await fetch(authorizeUrl, { redirect: 'manual' });
      const location = shown.headers.get('location');
      if (location !== null) return location;
      const page = await shown.text();
      if (shown.status !== 200) throw new Error(`${provider} answered ${shown.status}:\n${page}`);
      const body = new URLSearchParams(person === 'declines' ? { decision: 'deny' } : { decision: 'allow', account: person.email });
      const sent = await fetch(authorizeUrl, { method: 'POST', body, redirect: 'manual' });
      const back = sent.headers.get('location');
      if (back === null) throw new Error(`${provider} answered ${sent.status}:\n${await sent.text()}`);
      return back;
    },
    /** Revokes the grant of a token; returns false for an unknown token. */
    revokeToken: tokens.revoke,
    /** Revokes all grants of the account, as on the provider's page of connected apps. */
    revokeAccount: (email: string): void => tokens.revokeAll(find(email)),
    /** Expires every access token issued so far. */
    expireAll: tokens.expireAll,
    /** Advances the clock of codes and tokens. */
    advance: (seconds: number): void => void (clock.ahead += seconds * 1000),
    /** Refuses all refresh tokens, or accepts them again. */
    refuseRefresh: (refuses = true): void => void (manners.refuses = refuses),
    /** Delays every response of the token endpoint. The work is done before. */
    slowToken: (ms: number): void => void (manners.slow = ms),
    /** Holds every response of the token endpoint until the promise resolves. The work is done before. */
    holdTokens: (until: Promise<unknown>): void => void (manners.held = until),
    /** Numbers of successful and of refused refreshes. */
    refreshes: () => manners.refreshes,
    refusedRefreshes: () => manners.refused,
  };
}
