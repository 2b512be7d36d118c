import { type Static, type TSchema, Type } from 'typebox';
import type { Authorization, AuthorizationEnv, Grant } from '../../../core/authorization.ts';
import { ConnectorError } from '../../../core/error.ts';
import { oauth, postForm } from '../../../kit/oauth/oauth.ts';
import { createApi } from '../../../kit/rest/api.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { createGraph } from '../graph/meta-graph.ts';
import { graphRefusal } from '../graph/meta-refusal.ts';
import { longGrant, renewedOrKept } from '../graph/meta-token.ts';
import { Me, graphUrl } from './api.ts';
import { exchangeRefusal } from './errors.ts';

const Token = Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Optional(Type.Number()) });
/** Instagram's documentation shows both formats. */
const CodeAnswer = Type.Union([Token, Type.Object({ data: Type.Array(Token, { minItems: 1 }) })]);
const tokenHost = 'https://api.instagram.com/oauth/access_token';

/** Sends a token request for a token that belongs to no link yet; the path has no version. */
async function getToken(path: string, query: Readonly<Record<string, string>>, env: AuthorizationEnv, signal: AbortSignal): Promise<Grant> {
  const base = (env.app.apiUrl ?? graphUrl).replace(/\/v\d+\.\d+$/, '');
  const silent = { dialer: env.dialer, remember: async () => undefined, recall: async () => undefined };
  const api = createApi({ env: silent, base, refusal: graphRefusal });
  try {
    const { access_token, expires_in }: Static<typeof Token> = await api.json(Token satisfies TSchema, {
      method: 'GET',
      url: path,
      query,
      signal,
    });
    return longGrant(access_token, expires_in);
  } finally {
    api.close();
  }
}

/**
 * https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login: a code yields a token for an
 * hour, which is exchanged for one of sixty days, which can be renewed after its first day. Only the user can revoke a grant.
 */
export const instagramAuthorization: Authorization = {
  ...oauth({
    authUrl: () => 'https://www.instagram.com/oauth/authorize',
    tokenUrl: () => tokenHost,
    scopes: () => ['instagram_business_basic'],
    scopeSeparator: ',',
    pkce: false,
    clientAuth: 'body',
    renew: (grant, _provider, env, signal) =>
      renewedOrKept(grant, () =>
        getToken('/refresh_access_token', { grant_type: 'ig_refresh_token', access_token: grant.accessToken }, env, signal),
      ),
    async identify({ grant }, _provider, { dialer, app }, signal) {
      const graph = createGraph({ env: { dialer, tokens: { access: async () => grant.accessToken } }, base: app.apiUrl ?? graphUrl });
      try {
        const { user_id, id, username } = await graph.get(Me, '/me', { fields: 'user_id,username' }, { signal });
        // Some responses write it as a number beyond JavaScript's safe range.
        const userId = typeof user_id === 'string' || Number.isSafeInteger(user_id) ? user_id : id;
        if (userId === undefined) throw new ConnectorError('unexpected', 'Instagram does not tell whose account it is');
        return { userId: String(userId), username: username ?? String(userId) };
      } finally {
        graph.close();
      }
    },
  }),
  async redeem({ code, redirectUri }, env, signal) {
    const { clientId = '', clientSecret = '', tokenUrl = tokenHost } = env.app;
    // The code arrives with a URL fragment appended.
    const form = { grant_type: 'authorization_code', code: code.replace(/#_$/, ''), redirect_uri: redirectUri };
    const response = await postForm(env, tokenUrl, { client_id: clientId, client_secret: clientSecret, ...form }, {}, signal);
    const text = await response.text();
    if (response.status !== 200) throw exchangeRefusal(response);
    const answer = parseJson(CodeAnswer, text);
    const short = 'data' in answer ? answer.data[0] : answer;
    if (!short) throw new ConnectorError('unexpected', 'Instagram gave no token');
    const query = { grant_type: 'ig_exchange_token', client_secret: clientSecret, access_token: short.access_token };
    return { grant: await getToken('/access_token', query, env, signal), extra: {} };
  },
};
