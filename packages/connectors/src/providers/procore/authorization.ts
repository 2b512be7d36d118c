import type { Authorization } from '../../core/authorization.ts';
import { oauth, postForm } from '../../kit/oauth/oauth.ts';
import { createApi } from '../../kit/rest/api.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';
import { Me } from './api.ts';
import { apiUrl } from './client.ts';

const loginUrl = 'https://login.procore.com/oauth';

/**
 * Procore has no scopes: a token has the user's permissions. Refresh tokens are single-use.
 * https://developers.procore.com/documentation/oauth-endpoints
 */
export const procoreAuthorization: Authorization = oauth({
  authUrl: () => `${loginUrl}/authorize`,
  tokenUrl: () => `${loginUrl}/token`,
  scopes: () => [],
  pkce: false,
  clientAuth: 'body',
  async revoke({ accessToken, refreshToken }, _provider, env, signal) {
    const { clientId = '', clientSecret = '', tokenUrl = `${loginUrl}/token` } = env.app;
    // Revoking either token revokes both.
    const form = { token: refreshToken ?? accessToken, client_id: clientId, client_secret: clientSecret };
    const response = await postForm(env, new URL('revoke', tokenUrl).href, form, {}, signal);
    await response.discard();
    if (response.status >= 300) throw refusalOf(response, response.status === 401 ? 'appRefused' : undefined);
  },
  async identify({ grant }, _provider, { dialer, app }, signal) {
    const nothing = async (): Promise<undefined> => undefined;
    const env = { dialer, app, remember: async () => undefined, recall: nothing };
    const api = createApi({ env, base: app.apiUrl ?? apiUrl, maxConnections: 1, refusal: (response) => refusalOf(response) });
    try {
      const headers = { authorization: `Bearer ${grant.accessToken}` };
      const { id, login, name } = await api.json(Me, { method: 'GET', url: '/rest/v1.0/me', headers, signal });
      return { userId: String(id), login: login ?? name ?? String(id) };
    } finally {
      api.close();
    }
  },
});
