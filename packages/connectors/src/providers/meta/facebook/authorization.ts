import { Type } from 'typebox';
import type { Authorization, AuthorizationEnv, Grant } from '../../../core/authorization.ts';
import type { ConnectorErrorKind } from '../../../core/error.ts';
import { oauth, postForm } from '../../../kit/oauth/oauth.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { type Graph, createGraph } from '../graph/meta-graph.ts';
import { longGrant, renewedOrKept } from '../graph/meta-token.ts';
import { Me, graphUrl } from './api.ts';
import { exchangeRefusal } from './errors.ts';

const Token = Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Optional(Type.Number()) });

type Form = Readonly<Record<string, string>>;

async function exchange(form: Form, env: AuthorizationEnv, signal: AbortSignal, refused: ConnectorErrorKind): Promise<Grant> {
  const { clientId = '', clientSecret = '', apiUrl = graphUrl, tokenUrl = `${apiUrl}/oauth/access_token` } = env.app;
  const fields = { client_id: clientId, client_secret: clientSecret, ...form };
  const response = await postForm(env, tokenUrl, fields, {}, signal);
  const text = await response.text();
  if (response.status !== 200) throw exchangeRefusal(response, text, refused);
  const { access_token, expires_in } = parseJson(Token, text);
  return longGrant(access_token, expires_in);
}

/** https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived */
const prolonged = (token: string, env: AuthorizationEnv, signal: AbortSignal, refused: ConnectorErrorKind) =>
  exchange({ grant_type: 'fb_exchange_token', fb_exchange_token: token }, env, signal, refused);

async function withGraph<Result>(
  { accessToken }: Grant,
  { dialer, app }: AuthorizationEnv,
  work: (graph: Graph) => Promise<Result>,
): Promise<Result> {
  const { apiUrl = graphUrl, clientSecret } = app;
  const tokens = { access: async () => accessToken };
  const graph = createGraph({ env: { dialer, tokens }, base: apiUrl, ...(clientSecret !== undefined && { secret: clientSecret }) });
  try {
    return await work(graph);
  } finally {
    graph.close();
  }
}

/**
 * https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow: a code yields a token for an hour, which is exchanged
 * for one of sixty days, which is exchanged again before it expires. There are no refresh tokens.
 */
export const facebookAuthorization: Authorization = {
  ...oauth({
    authUrl: () => 'https://www.facebook.com/v25.0/dialog/oauth',
    tokenUrl: () => `${graphUrl}/oauth/access_token`,
    scopes: () => ['public_profile', 'user_photos', 'user_videos'],
    scopeSeparator: ',',
    pkce: false,
    clientAuth: 'body',
    // Requests previously declined permissions again.
    parameters: () => ({ auth_type: 'rerequest' }),
    renew: (grant, _provider, env, signal) => renewedOrKept(grant, () => prolonged(grant.accessToken, env, signal, 'needsAuthorization')),
    revoke: (grant, _provider, env, signal) => withGraph(grant, env, (graph) => graph.delete('/me/permissions', { signal })),
    async identify({ grant }, _provider, env, signal) {
      const { id, name } = await withGraph(grant, env, (graph) => graph.get(Me, '/me', { fields: 'id,name' }, { signal }));
      return { userId: id, name: name ?? id };
    },
  }),
  async redeem({ code, redirectUri }, env, signal) {
    const short = await exchange({ code, redirect_uri: redirectUri }, env, signal, 'unauthorized');
    return { grant: await prolonged(short.accessToken, env, signal, 'unauthorized'), extra: {} };
  },
};
