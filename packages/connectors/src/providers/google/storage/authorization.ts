import { Type } from 'typebox';
import { ConnectorError } from '../../../core/error.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { googleOAuth, mustGrant } from '../apis/google-oauth.ts';

/** Access to the objects of every bucket of the account, but not to the buckets themselves. */
export const storageScope = 'https://www.googleapis.com/auth/devstorage.read_write';

const Claims = Type.Object({ sub: Type.String({ minLength: 1 }), email: Type.Optional(Type.String()) });

export const cloudAuthorization = googleOAuth({
  scopes: [storageScope, 'openid', 'email'],
  /**
   * The ID token came directly from the token endpoint, so that its signature need not be verified: OpenID Connect Core 1.0, section
   * 3.1.3.7.
   */
  identify(redeemed) {
    mustGrant(redeemed, storageScope);
    const [, body = ''] = (redeemed.extra['id_token'] ?? '').split('.');
    if (body === '') throw new ConnectorError('unexpected', 'Google does not tell whose grant it is');
    const { sub, email = sub } = parseJson(Claims, Buffer.from(body, 'base64url').toString('utf8'));
    return Promise.resolve({ account: email });
  },
});
