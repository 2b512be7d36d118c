import type { Env } from '../../../core/definition.ts';
import { googleOAuth, mustGrant } from '../apis/google-oauth.ts';
import { About } from './api.ts';
import { createDriveApi } from './client.ts';

/** Access to all files: Drive has no narrower scope for files that Sheaf did not create. It also identifies the account. */
const driveScope = 'https://www.googleapis.com/auth/drive';

export const driveAuthorization = googleOAuth({
  scopes: [driveScope],
  async identify(redeemed, _, { dialer, app }, signal) {
    mustGrant(redeemed, driveScope);
    const env: Env = {
      dialer,
      app,
      tokens: { access: () => Promise.resolve(redeemed.grant.accessToken) },
      remember: () => Promise.resolve(),
      recall: () => Promise.resolve(undefined),
    };
    const { api } = createDriveApi(env);
    try {
      const query = { fields: 'user(permissionId,emailAddress,displayName)' };
      const { user } = await api.json(About, { method: 'GET', url: '/drive/v3/about', query, signal });
      return { accountId: user?.permissionId ?? '', email: user?.emailAddress ?? user?.displayName ?? '' };
    } finally {
      api.close();
    }
  },
});
