import { type Static, type TSchema, Type } from 'typebox';
import type { Authorization, AuthorizationEnv, AuthorizeRequest, Grant, Redeemed } from '../../core/authorization.ts';
import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import { createHttp } from '../http/http-client.ts';
import type { HttpResponse } from '../http/http.ts';
import { formOf } from '../rest/api.ts';
import { checked, parseJson } from '../rest/json.ts';
import { refusalOf } from '../rest/refusal.ts';

type Form = Readonly<Record<string, string | undefined>>;

/** A provider's deviations from RFC 6749. */
export interface OAuthFacts {
  /** Default addresses; the operator's settings take precedence. */
  readonly authUrl: (provider: string) => string;
  readonly tokenUrl: (provider: string) => string;
  readonly scopes: (provider: string) => readonly string[];
  /** Name of the scope parameter; `scope` by default. */
  readonly scopeParameter?: string;
  /** Separator of scopes; a space by default. */
  readonly scopeSeparator?: string;
  readonly pkce: boolean;
  readonly clientAuth: 'body' | 'basic';
  /** Further parameters of the authorization request. */
  readonly parameters?: (ask: AuthorizeRequest) => Form;
  /** Parses the response to a code or a refresh token if it does not follow RFC 6749. */
  readonly readAnswer?: (answer: unknown) => Redeemed;
  /** Exchanges the new grant for another, such as a longer-lived one. */
  readonly prolong?: (grant: Grant, env: AuthorizationEnv, signal: AbortSignal) => Promise<Grant>;
  /** Replaces the refresh token request; `false` if grants cannot be renewed. */
  readonly renew?: Authorization['renew'] | false;
  readonly revoke?: Authorization['revoke'];
  readonly identify: Authorization['identify'];
}

const TokenAnswer = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.Optional(Type.String()),
  expires_in: Type.Optional(Type.Union([Type.Number(), Type.String()])),
});
const TokenError = Type.Object({ error: Type.String() });
const answerLimit = 256 * 1024;

/** Parses the standard response of a token endpoint (RFC 6749, section 5.1); further text fields become `extra`. */
export function readTokenAnswer(answer: unknown): Redeemed {
  const { access_token, refresh_token, expires_in } = checked(TokenAnswer, answer);
  const seconds = Number(expires_in);
  const secret = new Set(['access_token', 'refresh_token']);
  const extra = Object.entries(answer as object).flatMap(([name, value]) =>
    typeof value === 'string' && !secret.has(name) ? [[name, value] as const] : [],
  );
  return {
    grant: {
      accessToken: access_token,
      ...(refresh_token && { refreshToken: refresh_token }),
      ...(Number.isFinite(seconds) && seconds > 0 && { expiresAt: Date.now() + seconds * 1000 }),
    },
    extra: Object.fromEntries(extra),
  };
}

/** Creates an authorization by OAuth 2.0 with these deviations. */
export function oauth(facts: OAuthFacts): Authorization {
  const { scopeParameter = 'scope', scopeSeparator = ' ', readAnswer = readTokenAnswer, renew } = facts;

  const ask = async (form: Form, provider: string, env: AuthorizationEnv, signal: AbortSignal, refused: ConnectorErrorKind) => {
    const { clientId = '', clientSecret = '', tokenUrl = facts.tokenUrl(provider) } = env.app;
    const isBasic = facts.clientAuth === 'basic' && clientSecret !== '';
    const credentials = isBasic ? {} : { client_id: clientId, client_secret: clientSecret === '' ? undefined : clientSecret };
    const response = await postForm(
      env,
      tokenUrl,
      { ...form, ...credentials },
      { ...(isBasic && { authorization: basicAuthorization(clientId, clientSecret) }) },
      signal,
    );
    return readAnswer(await tokenJson(response, refused));
  };

  return {
    usesPkce: facts.pkce,
    scopes: facts.scopes,
    authorizeUrl(request, { app }) {
      const { provider, redirectUri, state, challenge } = request;
      const url = new URL(app.authUrl ?? facts.authUrl(provider));
      const scopes = facts.scopes(provider);
      const parameters: Form = {
        response_type: 'code',
        client_id: app.clientId ?? '',
        redirect_uri: redirectUri,
        state,
        ...(scopes.length > 0 && { [scopeParameter]: scopes.join(scopeSeparator) }),
        ...(facts.pkce && { code_challenge: challenge, code_challenge_method: 'S256' }),
        ...facts.parameters?.(request),
      };
      for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
      return url.href;
    },
    async redeem({ provider, code, redirectUri, verifier }, env, signal) {
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: facts.pkce ? verifier : undefined };
      const redeemed = await ask(form, provider, env, signal, 'unauthorized');
      return facts.prolong ? { ...redeemed, grant: await facts.prolong(redeemed.grant, env, signal) } : redeemed;
    },
    ...(renew !== false && {
      renew:
        renew ??
        (async (grant, provider, env, signal) => {
          const { refreshToken } = grant;
          if (refreshToken === undefined) throw new ConnectorError('needsAuthorization', 'the grant has ended and cannot be renewed');
          const answer = await ask(
            { grant_type: 'refresh_token', refresh_token: refreshToken },
            provider,
            env,
            signal,
            'needsAuthorization',
          );
          return { refreshToken, ...answer.grant };
        }),
    }),
    ...(facts.revoke && { revoke: facts.revoke }),
    identify: facts.identify,
  };
}

/** Posts a form to an address of the provider, without retries; the caller reads the response. */
export function postForm(
  { dialer }: Pick<AuthorizationEnv, 'dialer'>,
  address: string,
  form: Form,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const url = new URL(address);
  const http = createHttp({ origin: url.origin, dialer, verify: true, maxConnections: 1 });
  return http.request({
    method: 'POST',
    path: url.pathname + url.search,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', connection: 'close', ...headers },
    body: formOf(form),
    signal,
  });
}

/** `Basic` credentials of an application: RFC 6749, section 2.3.1. */
export const basicAuthorization = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

/** Parses the JSON of a token endpoint's response. `refused` is the error kind for a rejected code or refresh token. */
export async function tokenJson(response: HttpResponse, refused: ConnectorErrorKind): Promise<unknown> {
  const text = await response.text(answerLimit);
  const { status } = response;
  if (status >= 200 && status < 300) return parseJson(Type.Unknown() satisfies TSchema, text);
  const code = errorCodeOf(text);
  throw refusalOf(response, isFromBetween(status, text) ? 'unreachable' : kindOfTokenError(status, code, refused), code);
}

/**
 * Whether the response comes from an intermediary, such as a proxy with an HTML page. It says nothing about the code or the refresh token.
 */
const isFromBetween = (status: number, text: string): boolean => status < 500 && status !== 429 && !/^\s*(\{|$)/.test(text);

/** Transient codes of RFC 6749, section 4.1.2.1, which token endpoints send as well; they say nothing about the request. */
const passing: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/** Maps a token error to an error kind: RFC 6749, section 5.2. */
function kindOfTokenError(status: number, code: string, refused: ConnectorErrorKind): ConnectorErrorKind | undefined {
  if (status >= 500 || status === 429) return undefined;
  if (passing.has(code)) return 'unreachable';
  if (code === 'invalid_client' || code === 'unauthorized_client') return 'appRefused';
  return status === 400 || status === 401 || status === 403 ? refused : 'unexpected';
}

function errorCodeOf(text: string): string {
  try {
    const { error }: Static<typeof TokenError> = parseJson(TokenError, text);
    return /^[\w.-]{1,60}$/.test(error) ? error : '';
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'unexpected') return '';
    throw error;
  }
}
