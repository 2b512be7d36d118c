import type { Description } from '../description/description.ts';

export interface OAuthPaths {
  /** Paths below the mount, with path parameters if the provider has a tenant or a version there. */
  readonly authorize: string;
  readonly token: string;
  readonly tokenMethod?: 'GET' | 'POST';
  readonly revoke?: string;
  /** The provider's own parameters of the authorize page → accepted values, or null for any. */
  readonly extra?: Readonly<Record<string, readonly string[] | null>>;
}

const text = { type: 'string' };
const query = (name: string, required: boolean, schema: object = text) => ({ name, in: 'query', required, schema });
const html = { 'text/html': { schema: text } };
const fields = (required: readonly string[], names: readonly string[]) => ({
  type: 'object',
  required,
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const form = (required: readonly string[], names: readonly string[]) => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema: fields(required, names) } },
});
const failure = { 'application/json': { schema: fields(['error'], ['error', 'error_description']) } };
const tokens = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['access_token'],
      properties: { access_token: text, token_type: text, expires_in: { type: 'integer' }, refresh_token: text },
    },
  },
};
const tokenFields = ['client_id', 'client_secret', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', 'assertion'];

/** Describes the endpoints of RFC 6749 (sections 4.1, 5 and 6), RFC 7636 and RFC 7009 for providers whose own description leaves them out. */
export function describeOAuth({ authorize, token, tokenMethod = 'POST', revoke, extra = {} }: OAuthPaths): Description {
  const names = [...authorize.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, schema: text }));
  const ask = [
    ...names,
    query('response_type', true, { enum: ['code'] }),
    ...['client_id', 'redirect_uri', 'state'].map((name) => query(name, true)),
    ...['scope', 'user_scope', 'code_challenge', 'login_hint'].map((name) => query(name, false)),
    query('code_challenge_method', false, { enum: ['S256', 'plain'] }),
    ...Object.entries(extra).map(([name, values]) => query(name, false, values ? { enum: values } : text)),
  ];
  const pageReplies = { 200: { content: html }, 302: {}, 400: { content: { ...html, ...failure } } };
  const tokenReplies = { 200: { content: tokens }, 400: { content: failure }, 401: { content: failure }, 429: { content: failure } };
  const tokenPath = [...token.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, schema: text }));
  const exchange =
    tokenMethod === 'GET'
      ? {
          get: { parameters: [...tokenPath, ...['grant_type', ...tokenFields].map((name) => query(name, false))], responses: tokenReplies },
        }
      : { post: { parameters: tokenPath, requestBody: form(['grant_type'], ['grant_type', ...tokenFields]), responses: tokenReplies } };
  const decide = form(['decision'], ['decision', 'account']);
  return {
    paths: {
      [authorize]: {
        get: { parameters: ask, responses: pageReplies },
        post: { parameters: ask, requestBody: decide, responses: pageReplies },
      },
      [token]: exchange,
      ...(revoke === undefined
        ? {}
        : {
            [revoke]: {
              post: {
                parameters: [query('token', false)],
                requestBody: { ...form([], ['token', 'token_type_hint', 'client_id', 'client_secret']), required: false },
                responses: { 200: {}, 400: { content: failure }, 401: { content: failure } },
              },
            },
          }),
    },
  };
}
