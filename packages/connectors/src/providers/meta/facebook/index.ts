import { define } from '../../../core/definition.ts';
import { ConnectorError } from '../../../core/error.ts';
import { facebookAuthorization } from './authorization.ts';
import { maxConnections, openFacebook } from './connector.ts';

interface FacebookConfig {
  readonly userId: string;
  readonly name: string;
}

/** Facebook: a user's albums, photos and videos, read-only. */
export const facebook = define<FacebookConfig>({
  id: 'facebook',
  secrets: ['grant'],
  parse({ userId = '', name = '' }) {
    if (userId === '') throw new ConnectorError('badConfig', 'no user', { details: { field: 'userId' } });
    return { userId, name: name || userId };
  },
  account: ({ name }) => name,
  identity: ({ userId }) => `facebook ${userId}`,
  concurrency: () => maxConnections,
  authorization: facebookAuthorization,
  open: (_config, env) => Promise.resolve(openFacebook(env)),
});
