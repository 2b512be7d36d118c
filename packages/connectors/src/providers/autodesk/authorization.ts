import type { Authorization } from '../../core/authorization.ts';
import { ConnectorError } from '../../core/error.ts';
import { basicAuthorization, oauth, postForm } from '../../kit/oauth/oauth.ts';
import { createApi } from '../../kit/rest/api.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';
import { UserInfo } from './api.ts';
import { apiUrl } from './client.ts';

const authUrl = `${apiUrl}/authentication/v2`;
const userInfoUrl = 'https://api.userprofile.autodesk.com/userinfo';

/** Read, change, create, and read the user's profile. */
const scopes = ['data:read', 'data:write', 'data:create', 'user-profile:read'];

/** https://aps.autodesk.com/en/docs/oauth/v2/reference/http/: refresh tokens are single-use and expire after 15 days. */
export const autodeskAuthorization: Authorization = oauth({
  authUrl: () => `${authUrl}/authorize`,
  tokenUrl: () => `${authUrl}/token`,
  scopes: () => scopes,
  pkce: true,
  clientAuth: 'basic',
  parameters: ({ prompt }) => ({ ...(prompt && { prompt: 'login' }) }),
  async revoke({ accessToken, refreshToken }, _provider, env, signal) {
    const { clientId = '', clientSecret = '', tokenUrl = `${authUrl}/token` } = env.app;
    const isPublic = clientSecret === '';
    const token = refreshToken ?? accessToken;
    const hint = refreshToken === undefined ? 'access_token' : 'refresh_token';
    const response = await postForm(
      env,
      new URL('revoke', tokenUrl).href,
      { token, token_type_hint: hint, client_id: isPublic ? clientId : undefined },
      isPublic ? {} : { authorization: basicAuthorization(clientId, clientSecret) },
      signal,
    );
    await response.discard();
    if (response.status >= 300) throw refusalOf(response, response.status === 401 ? 'appRefused' : undefined);
  },
  async identify({ grant }, _provider, { dialer, app }, signal) {
    const nothing = async (): Promise<undefined> => undefined;
    const env = { dialer, app, remember: async () => undefined, recall: nothing };
    const url = app.apiUrl === undefined ? userInfoUrl : `${app.apiUrl}/userinfo`;
    const api = createApi({ env, base: url, maxConnections: 1, refusal: (response) => refusalOf(response) });
    try {
      const headers = { authorization: `Bearer ${grant.accessToken}` };
      const { sub, email, name } = await api.json(UserInfo, { method: 'GET', url, headers, signal });
      if (sub === '') throw new ConnectorError('unexpected', 'Autodesk does not tell whose account it is');
      return { userId: sub, email: email ?? name ?? sub };
    } finally {
      api.close();
    }
  },
});
