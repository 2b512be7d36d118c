import { ConnectorError } from '../../core/error.ts';
import { oauth } from '../../kit/oauth/oauth.ts';
import { createApi } from '../../kit/rest/api.ts';
import { NodeList } from './api.ts';
import { driveError } from './errors.ts';

/** The former service's URL; requests go only to the server that the operator configures. */
const apiUrl = 'https://drive.amazonaws.com/drive/v1';

/** Login with Amazon. The drive's API has no user name: the root folder identifies the account. */
export const authorization = oauth({
  authUrl: () => 'https://www.amazon.com/ap/oa',
  tokenUrl: () => 'https://api.amazon.com/auth/o2/token',
  scopes: () => ['clouddrive:read_all', 'clouddrive:write'],
  pkce: false,
  clientAuth: 'body',
  async identify({ grant }, _provider, { app, dialer }, signal) {
    const env = {
      dialer,
      app,
      remember: async () => undefined,
      recall: async () => undefined,
      tokens: { access: async () => grant.accessToken },
    };
    const api = createApi({ env, base: (app.apiUrl ?? apiUrl).replace(/\/$/, ''), maxConnections: 1, refusal: driveError });
    try {
      const { data } = await api.json(NodeList, { method: 'GET', url: '/nodes', query: { filters: 'isRoot:true' }, signal });
      const root = data.find(({ isRoot }) => isRoot === true);
      if (!root) throw new ConnectorError('unexpected', 'a drive without a root');
      return { rootId: root.id };
    } finally {
      api.close();
    }
  },
});
