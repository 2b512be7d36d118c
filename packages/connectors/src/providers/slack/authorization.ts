import { type Static, Type } from 'typebox';
import type { AuthorizationEnv, Redeemed } from '../../core/authorization.ts';
import { ConnectorError } from '../../core/error.ts';
import { oauth } from '../../kit/oauth/oauth.ts';
import { createApi } from '../../kit/rest/api.ts';
import { checked } from '../../kit/rest/json.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';
import { WhoAmI } from './api.ts';
import { slackApi } from './client.ts';
import { SlackAnswer, slackRefusal } from './errors.ts';

const Token = Type.Object({
  access_token: Type.Optional(Type.String({ minLength: 1 })),
  refresh_token: Type.Optional(Type.String({ minLength: 1 })),
  expires_in: Type.Optional(Type.Number()),
  token_type: Type.Optional(Type.String()),
});
const TokenAnswer = Type.Intersect([Token, Type.Object({ authed_user: Type.Optional(Token) })]);

/** Reads the user's token: for a code it is in `authed_user`, for a refresh token at the top level. The other token would be a bot's. */
function readAnswer(value: unknown): Redeemed {
  const answer = checked(SlackAnswer, value);
  if (!answer.ok) throw slackRefusal(answer);
  const tokens = checked(TokenAnswer, value);
  const token: Static<typeof Token> = tokens.authed_user?.access_token ? tokens.authed_user : tokens.token_type === 'user' ? tokens : {};
  const { access_token, refresh_token, expires_in } = token;
  if (access_token === undefined) throw new ConnectorError('unexpected', 'Slack gave no token of the user');
  return {
    grant: {
      accessToken: access_token,
      ...(refresh_token !== undefined && { refreshToken: refresh_token }),
      ...(expires_in !== undefined && expires_in > 0 && { expiresAt: Date.now() + expires_in * 1000 }),
    },
    extra: {},
  };
}

/** Sends one call with a token that belongs to no link yet. */
async function callWith(method: string, token: string, env: AuthorizationEnv, signal: AbortSignal): Promise<unknown> {
  const api = createApi({
    env: { ...env, remember: async () => undefined, recall: async () => undefined, tokens: { access: async () => token } },
    base: env.app.apiUrl ?? slackApi,
    refusal: (response) => refusalOf(response),
  });
  try {
    const value = await api.json(Type.Unknown(), { method: 'GET', url: `/${method}`, signal });
    const answer = checked(SlackAnswer, value);
    if (!answer.ok) throw slackRefusal(answer);
    return value;
  } finally {
    api.close();
  }
}

/**
 * https://docs.slack.dev/authentication/installing-with-oauth with user scopes. Tokens do not expire unless the application uses token
 * rotation. No PKCE: it would turn the application into a public client without a secret.
 */
export const slackAuthorization = oauth({
  authUrl: () => 'https://slack.com/oauth/v2/authorize',
  tokenUrl: () => `${slackApi}/oauth.v2.access`,
  scopes: () => ['files:read', 'files:write', 'channels:read', 'groups:read', 'im:read', 'mpim:read', 'users:read', 'search:read'],
  scopeParameter: 'user_scope',
  scopeSeparator: ',',
  pkce: false,
  clientAuth: 'basic',
  readAnswer,
  async revoke({ accessToken }, _provider, env, signal) {
    await callWith('auth.revoke', accessToken, env, signal);
  },
  async identify({ grant }, _provider, env, signal) {
    const { team_id, user_id, user, url } = checked(WhoAmI, await callWith('auth.test', grant.accessToken, env, signal));
    return { teamId: team_id, userId: user_id, account: `${user} at ${URL.parse(url)?.hostname ?? url}` };
  },
});
