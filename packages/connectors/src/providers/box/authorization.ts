import { oauth, postForm } from '../../kit/oauth/oauth.ts';
import { createApi } from '../../kit/rest/api.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';
import { Me } from './api.ts';
import { apiUrl } from './client.ts';
import { boxError, codeIn } from './errors.ts';

const tokenUrl = 'https://api.box.com/oauth2/token';

/**
 * Box rotates refresh tokens: each is valid once. Scopes are set where the application is registered, not requested.
 * https://developer.box.com/guides/authentication/oauth2
 */
export const authorization = oauth({
  authUrl: () => 'https://account.box.com/api/oauth2/authorize',
  tokenUrl: () => tokenUrl,
  scopes: () => [],
  pkce: false,
  clientAuth: 'body',
  async revoke({ accessToken, refreshToken }, _provider, env, signal) {
    const { clientId = '', clientSecret = '', tokenUrl: told = tokenUrl } = env.app;
    const form = { client_id: clientId, client_secret: clientSecret, token: refreshToken ?? accessToken };
    const response = await postForm(env, told.replace(/\/token$/, '/revoke'), form, {}, signal);
    await response.discard();
    if (response.status >= 300) throw refusalOf(response);
  },
  async identify({ grant }, _provider, { dialer, app }, signal) {
    const nothing = async (): Promise<undefined> => undefined;
    const api = createApi({
      env: { dialer, app, remember: nothing, recall: nothing },
      base: app.apiUrl ?? apiUrl,
      maxConnections: 1,
      refusal: (response, text) => (response.status === 401 ? refusalOf(response, 'unauthorized', codeIn(text)) : boxError(response, text)),
    });
    try {
      const headers = { authorization: `Bearer ${grant.accessToken}` };
      const me = await api.json(Me, { method: 'GET', url: '/users/me', query: { fields: 'id,name,login' }, headers, signal });
      return { userId: me.id, login: me.login, name: me.name };
    } finally {
      api.close();
    }
  },
});
