import { randomBytes } from 'node:crypto';
import type { Reply } from '../reply.ts';
import type { Handler, SimulatedRequest } from '../request.ts';
import type { OAuthState } from './oauth-options.ts';
import { consentPage, refusalPage } from './oauth-page.ts';
import type { Tokens } from './oauth-tokens.ts';

/** The authorization endpoint of RFC 6749, 4.1.1: shows the page and handles the decision. */
export function createAuthorize({ options, codes, redirectUris, now }: OAuthState, tokens: Tokens) {
  const { provider, client, accounts, pkce = 'optional', scopeSeparator = ' ' } = options;

  /** Parses the authorization request, or returns the response to an invalid one: redirects only to registered URIs. */
  function readAsk({ query }: SimulatedRequest): Request | Reply {
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

  /** Handles the page's form and redirects the person to the client. */
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

  return { authorize, decide };
}

interface Request {
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  readonly method: string;
  readonly back: (values: Readonly<Record<string, string>>) => Reply;
}

const htmlType = { 'content-type': 'text/html; charset=utf-8' };
