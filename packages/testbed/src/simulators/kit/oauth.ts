import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Mount } from './host.ts';
import type { Account, Identity, RejectedToken } from './identity.ts';
import { type OAuthPaths, describeOAuth } from './oauth-description.ts';
import { consentPage, refusalPage } from './oauth-page.ts';
import { type Grant, type Issued, type RejectedRefresh, type Rotation, createTokens } from './oauth-tokens.ts';
import type { Reply } from './reply.ts';
import type { Handler, SimulatedRequest } from './request.ts';

interface Client {
  readonly id: string;
  readonly secret: string;
  /** Its name on the page. */
  readonly title?: string;
  readonly redirectUris: readonly string[];
}

interface Options {
  /** The provider's name on the page. */
  readonly provider: string;
  readonly client: Client;
  readonly accounts: readonly Account[];
  /** Every scope that the provider knows; none when it has no scopes. */
  readonly scopes: readonly string[];
  /** What is granted when the client names no scope. Without it a client must name one. */
  readonly defaultScopes?: readonly string[];
  /** Preset: `scope`, separated by a space. */
  readonly scopeParameter?: string;
  readonly scopeSeparator?: string;
  /** Preset: optional. `none` ignores a challenge, as providers without PKCE do. */
  readonly pkce?: 'required' | 'optional' | 'none';
  /** Where the client may show its secret. Preset: in the body. */
  readonly clientAuth?: readonly ('body' | 'basic')[];
  /** Whether a proof by PKCE stands in for the secret. */
  readonly publicClient?: boolean;
  readonly codeSeconds?: number;
  /** Preset: 3600; null for tokens that never expire. */
  readonly accessSeconds?: number | null;
  readonly refreshSeconds?: number;
  readonly rotation?: Rotation;
  /** Whether this authorization gives a refresh token. `isFirst`: the account has no grant yet. Preset: always. */
  readonly offline?: (ask: { readonly query: URLSearchParams; readonly scopes: readonly string[]; readonly isFirst: boolean }) => boolean;
  /** The token endpoint's answer, made from the standard one. */
  readonly answer?: (standard: Readonly<Record<string, unknown>>, issued: Issued) => unknown;
  /** The token endpoint's refusal. Preset: RFC 6749, 5.2. */
  readonly refuse?: (error: string, why: string) => Reply;
  /** Grant types of the provider's own: gives what to issue, or throws {@link tokenError}. */
  readonly grants?: Readonly<Record<string, (fields: URLSearchParams) => Grant & { readonly seconds?: number }>>;
  /** Finds the access token of a request. Preset: `Authorization: Bearer`. */
  readonly tokenFrom?: (incoming: IncomingMessage) => string | undefined;
}

interface Code {
  readonly grant: Grant;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly method: string;
  readonly until: number;
  /** Given once it was exchanged. */
  issued?: Issued;
}

class TokenError extends Error {
  readonly error: string;
  constructor(error: string, why: string) {
    super(why);
    this.error = error;
  }
}

/** What a grant of the provider's own throws to refuse: an error code of RFC 6749 and a sentence. */
export const tokenError = (error: string, why: string): Error => new TokenError(error, why);

export type OAuth = ReturnType<typeof createOAuth>;

/** The authorization server of a provider: its page, its token endpoint, its tokens, and a test's hold on them. */
export function createOAuth(options: Options) {
  const { provider, client, accounts, pkce = 'optional', clientAuth = ['body'], scopeSeparator = ' ' } = options;
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const accessSeconds = options.accessSeconds === null ? undefined : (options.accessSeconds ?? 3600);
  const tokens = createTokens({ rotation: options.rotation ?? 'none', accessSeconds, refreshSeconds: options.refreshSeconds, now });
  const codes = new Map<string, Code>();
  const redirectUris = new Set(client.redirectUris);
  const state = { refreshes: 0, refused: 0, refuses: false, slow: 0 };

  /** The authorization request, or the answer to a bad one: people are sent back only to where the client is known to live. */
  function readAsk({ query }: SimulatedRequest): Ask | Reply {
    const stay = (why: string): Reply => ({ status: 400, text: refusalPage(provider, why), headers: htmlType });
    const redirectUri = query.get('redirect_uri') ?? '';
    if (query.get('client_id') !== client.id) return stay('The client is not known.');
    if (!redirectUris.has(redirectUri)) return stay('The redirect address is not registered.');
    const back = (values: Readonly<Record<string, string>>): Reply => {
      const to = new URL(redirectUri);
      for (const [name, value] of Object.entries({ ...values, state: query.get('state') ?? '' })) to.searchParams.set(name, value);
      return { redirect: to.href };
    };
    const refuse = (error: string, why: string) => back({ error, error_description: why });
    if (query.get('response_type') !== 'code') return refuse('unsupported_response_type', 'Only the code flow is known.');
    if (!query.get('state')) return refuse('invalid_request', 'The state is missing.');
    const named = (query.get(options.scopeParameter ?? 'scope') ?? '').split(scopeSeparator).filter((scope) => scope !== '');
    const scopes = named.length > 0 ? named : options.defaultScopes;
    if (options.scopes.length > 0 && !scopes) return refuse('invalid_scope', 'No scope is asked for.');
    const unknown = named.find((scope) => !options.scopes.includes(scope));
    if (unknown !== undefined) return refuse('invalid_scope', `The scope ${unknown} is not known.`);
    const challenge = pkce === 'none' ? undefined : (query.get('code_challenge') ?? undefined);
    if (pkce === 'required' && challenge === undefined) return refuse('invalid_request', 'A code challenge is needed.');
    return { redirectUri, back, scopes: scopes ?? [], challenge, method: query.get('code_challenge_method') ?? 'plain' };
  }

  /** Shows the page. */
  const authorize: Handler = (request) => {
    const ask = readAsk(request);
    if (!('back' in ask)) return ask;
    const hint = request.query.get('login_hint');
    const chosen = accounts.find(({ email }) => email === hint) ?? accounts[0];
    const text = consentPage({ provider, client: client.title ?? client.id, scopes: ask.scopes, accounts, chosen });
    return { text, headers: { ...htmlType, 'cache-control': 'no-store' } };
  };

  /** Takes the page's answer and sends the person back. */
  const decide: Handler = (request) => {
    const ask = readAsk(request);
    if (!('back' in ask)) return ask;
    if (request.form.get('decision') !== 'allow') return ask.back({ error: 'access_denied', error_description: 'The person declined.' });
    const account = accounts.find(({ email }) => email === request.form.get('account'));
    if (!account) return { status: 400, text: refusalPage(provider, 'The account is not known.'), headers: htmlType };
    const { scopes, redirectUri, challenge, method } = ask;
    const offline = options.offline?.({ query: request.query, scopes, isFirst: !tokens.hasGrant(account) }) ?? true;
    const code = randomBytes(18).toString('base64url');
    const until = now() + (options.codeSeconds ?? 600) * 1000;
    codes.set(code, { grant: { account, scopes, offline }, redirectUri, challenge, method, until });
    return ask.back({ code });
  };

  function readClient(request: SimulatedRequest, fields: URLSearchParams): { readonly id: string | null; readonly secret: string | null } {
    const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (basic !== undefined && clientAuth.includes('basic')) {
      const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent);
      return { id, secret };
    }
    return { id: fields.get('client_id'), secret: clientAuth.includes('body') ? fields.get('client_secret') : null };
  }

  function exchange(fields: URLSearchParams, hasSecret: boolean): Issued {
    const code = codes.get(fields.get('code') ?? '');
    if (!code) throw tokenError('invalid_grant', 'The code is not known.');
    if (code.issued) {
      tokens.revoke(code.issued.accessToken);
      throw tokenError('invalid_grant', 'The code was used already.');
    }
    if (code.until <= now()) throw tokenError('invalid_grant', 'The code has expired.');
    if (fields.get('redirect_uri') !== code.redirectUri) throw tokenError('invalid_grant', 'The redirect address is another one.');
    if (code.challenge !== undefined && !isProof(fields.get('code_verifier'), code))
      throw tokenError('invalid_grant', 'The verifier is wrong.');
    if (!hasSecret && code.challenge === undefined) throw tokenError('invalid_client', 'The secret is missing.');
    code.issued = tokens.issue(code.grant);
    return code.issued;
  }

  function refresh(fields: URLSearchParams): Issued {
    const token = fields.get('refresh_token') ?? '';
    const scopes = fields.get('scope')?.split(scopeSeparator);
    const wider = scopes?.find((scope) => !tokens.scopesOf(token).includes(scope));
    if (wider !== undefined) throw tokenError('invalid_scope', `The scope ${wider} was not granted.`);
    const issued = state.refuses ? 'revoked' : tokens.refresh(token, scopes);
    if (typeof issued === 'string') {
      state.refused += 1;
      throw tokenError('invalid_grant', refreshTexts[issued]);
    }
    state.refreshes += 1;
    return issued;
  }

  function redeem(request: SimulatedRequest): Issued {
    const fields = fieldsOf(request);
    const grantType = fields.get('grant_type') ?? 'authorization_code';
    const own = options.grants?.[grantType];
    if (own) {
      const { seconds, ...grant } = own(fields);
      return tokens.issue(grant, seconds);
    }
    const { id, secret } = readClient(request, fields);
    const hasSecret = secret === client.secret;
    const mayLackIt = options.publicClient === true && secret === null;
    if (id !== client.id || (!hasSecret && !mayLackIt))
      throw tokenError('invalid_client', 'The client is not known, or its secret is wrong.');
    if (grantType === 'authorization_code') return exchange(fields, hasSecret);
    if (grantType === 'refresh_token') return refresh(fields);
    throw tokenError('unsupported_grant_type', 'The grant type is not known.');
  }

  /** Exchanges a code or a refresh token. */
  const token: Handler = async (request) => {
    let reply: Reply;
    try {
      const issued = redeem(request);
      const standard = toAnswer(issued, scopeSeparator);
      reply = { json: options.answer?.(standard, issued) ?? standard, headers: { 'cache-control': 'no-store' } };
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      reply = options.refuse?.(error.error, error.message) ?? standardRefusal(error.error, error.message);
    }
    if (state.slow > 0) await wait(state.slow);
    return reply;
  };

  /** Ends the grant of the token in the form or the query. An unknown token is fine (RFC 7009, 2.2). */
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
    handlers: { authorize, decide, token, revoke },
    /** The endpoints as a mount of their own, for providers whose description leaves them out. */
    mount({ at, ...paths }: OAuthPaths & { readonly at: string }): Mount {
      const { authorize: page, token: exchangePath, tokenMethod = 'POST', revoke: end } = paths;
      return {
        at,
        description: describeOAuth(paths),
        open: 'all',
        // The provider's general words for what goes wrong before these endpoints are reached.
        alsoStatuses: { 400: null, 404: null, 429: null, 501: null, 503: null },
        routes: {
          [`GET ${page}`]: authorize,
          [`POST ${page}`]: decide,
          [`${tokenMethod} ${exchangePath}`]: token,
          ...(end === undefined ? {} : { [`POST ${end}`]: revoke }),
        },
      };
    },
    /** Whose request it is, for the simulator. */
    authenticate(incoming: IncomingMessage): Identity | RejectedToken {
      const bearer = /^Bearer (.+)$/i.exec(incoming.headers.authorization ?? '')?.[1];
      return tokens.check(options.tokenFrom ? options.tokenFrom(incoming) : bearer);
    },
    /** Whose token it is. */
    check: tokens.check,
    /** Registers a further redirect address. */
    register: (redirectUri: string): void => void redirectUris.add(redirectUri),
    /** Tokens at once, without a browser. `email` may be the account's id. `seconds` sets how long the access token lives. */
    grant(email: string, scopes: readonly string[] = options.scopes, seconds?: number): Issued {
      return tokens.issue({ account: find(email), scopes, offline: true }, seconds);
    },
    /** Does what a person does in a browser at `authorizeUrl`, and gives the address to which they are sent back. */
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
    /** Ends the grant that a token belongs to; false when nobody knows it. */
    revokeToken: tokens.revoke,
    /** The account takes back everything it allowed, as on the provider's page of connected apps. */
    revokeAccount: (email: string): void => tokens.revokeAll(find(email)),
    /** Every access token issued so far has expired. */
    expireAll: tokens.expireAll,
    /** Moves the clock of codes and tokens. */
    advance: (seconds: number): void => void (clock.ahead += seconds * 1000),
    /** From now on no refresh token is taken, or again each that is good. */
    refuseRefresh: (refuses = true): void => void (state.refuses = refuses),
    /** Every answer of the token endpoint takes this much longer. The work is done before. */
    slowToken: (ms: number): void => void (state.slow = ms),
    /** Refreshes that gave tokens, and that were refused. */
    refreshes: () => state.refreshes,
    refusedRefreshes: () => state.refused,
  };
}

interface Ask {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  readonly method: string;
  readonly back: (values: Readonly<Record<string, string>>) => Reply;
}

const htmlType = { 'content-type': 'text/html; charset=utf-8' };

const refreshTexts: Readonly<Record<RejectedRefresh, string>> = {
  unknown: 'The refresh token is not known.',
  expired: 'The refresh token has expired.',
  used: 'The refresh token was used already.',
  revoked: 'The refresh token was revoked.',
};

/** RFC 7636, 4.6. */
function isProof(verifier: string | null, { challenge, method }: Code): boolean {
  if (verifier === null || !/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return challenge === (method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier);
}

/** The fields of a token request: a form, JSON, or the query where the endpoint is read with GET. */
function fieldsOf(request: SimulatedRequest): URLSearchParams {
  const json = request.json();
  const named = typeof json === 'object' && json !== null ? Object.entries(json).map(([name, value]) => [name, String(value)]) : [];
  return new URLSearchParams([...request.query, ...request.form, ...named]);
}

/** RFC 6749, 5.1. */
function toAnswer({ accessToken, refreshToken, expiresIn, scopes }: Issued, separator: string): Readonly<Record<string, unknown>> {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(separator) }),
  };
}

const standardRefusal = (error: string, why: string): Reply => ({
  status: error === 'invalid_client' ? 401 : 400,
  json: { error, error_description: why },
});
