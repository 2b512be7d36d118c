import type { Env } from '../../../core/definition.ts';
import { googleOAuth, mustGrant } from '../shared/google-oauth.ts';
import { About } from './api.ts';
import { createDriveApi } from './client.ts';

/** All files of the account: Drive has no smaller scope that shows files which Sheaf has not made. It tells whose Drive it is as well. */
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
