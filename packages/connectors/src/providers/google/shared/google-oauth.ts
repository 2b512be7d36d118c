import type { Authorization, Redeemed } from '../../../core/authorization.ts';
import { ConnectorError } from '../../../core/error.ts';
import { oauth, postForm } from '../../../kit/oauth/oauth.ts';
import { refusalOf } from '../../../kit/rest/refusal.ts';

export const googleTokenUrl = 'https://oauth2.googleapis.com/token';

interface Facts {
  readonly scopes: readonly string[];
  readonly identify: Authorization['identify'];
}

/**
 * Authorization at Google: https://developers.google.com/identity/protocols/oauth2/web-server. Refresh tokens come only when consent is asked for, and stay the
 * same afterwards. Scopes of other links are not merged in, so that a grant holds no more than its link needs.
 */
export const googleOAuth = ({ scopes, identify }: Facts): Authorization =>
  oauth({
    authUrl: () => 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: () => googleTokenUrl,
    scopes: () => scopes,
    pkce: true,
    clientAuth: 'body',
    parameters: ({ prompt }) => ({ access_type: 'offline', prompt: prompt ? 'consent select_account' : 'consent' }),
    async revoke({ accessToken, refreshToken = accessToken }, _, env, signal) {
      const address = new URL('revoke', env.app.tokenUrl ?? googleTokenUrl).href;
      const response = await postForm(env, address, { token: refreshToken }, {}, signal);
      await response.discard();
      // 400 is said of a token that is worthless already.
      if (response.status >= 300 && response.status !== 400) throw refusalOf(response);
    },
    identify,
  });

/** Rejects with `forbidden` when the user has not ticked a scope that the work needs: https://developers.google.com/identity/protocols/oauth2/resources/granular-permissions */
export function mustGrant({ extra }: Redeemed, scope: string): void {
  const granted = extra['scope']?.split(' ');
  if (granted && !granted.includes(scope)) throw new ConnectorError('forbidden', `the user has not granted ${scope}`);
}
