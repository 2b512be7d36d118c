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
 * OAuth at Google: https://developers.google.com/identity/protocols/oauth2/web-server. A refresh token is issued only when consent is
 * requested, and is not rotated. Scopes of other links are not merged in, so that a grant has only its link's scopes.
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
      // 400 means that the token is already invalid.
      if (response.status >= 300 && response.status !== 400) throw refusalOf(response);
    },
    identify,
  });

/**
 * Throws `forbidden` when the user has not granted a required scope:
 * https://developers.google.com/identity/protocols/oauth2/resources/granular-permissions
 */
export function mustGrant({ extra }: Redeemed, scope: string): void {
  const granted = extra['scope']?.split(' ');
  if (granted && !granted.includes(scope)) throw new ConnectorError('forbidden', `the user has not granted ${scope}`);
}
