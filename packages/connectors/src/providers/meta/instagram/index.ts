import { define } from '../../../core/definition.ts';
import { ConnectorError } from '../../../core/error.ts';
import { instagramAuthorization } from './authorization.ts';
import { maxConnections, openInstagram } from './connector.ts';

interface InstagramConfig {
  readonly userId: string;
  readonly username: string;
}

/** Instagram: the published media of a professional account, read-only. */
export const instagram = define<InstagramConfig>({
  id: 'instagram',
  secrets: ['grant'],
  parse({ userId = '', username = '' }) {
    if (userId === '') throw new ConnectorError('badConfig', 'no user', { details: { field: 'userId' } });
    return { userId, username: username || userId };
  },
  account: ({ username }) => username,
  identity: ({ userId }) => `instagram ${userId}`,
  concurrency: () => maxConnections,
  authorization: instagramAuthorization,
  open: (_config, env) => Promise.resolve(openInstagram(env)),
});
