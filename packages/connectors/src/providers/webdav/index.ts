import { define } from '../../core/definition.ts';
import { type WebdavConfig, parseWebdavConfig } from './config.ts';
import { connections, openKnownWebdav } from './connector.ts';

export const webdav = define<WebdavConfig>({
  id: 'webdav',
  secrets: ['password'],
  parse: parseWebdavConfig,
  account: ({ username, origin, base }) => `${username}@${new URL(origin).host}${base}`,
  identity: ({ username, origin, base }) => `webdav ${username}@${origin}${base}`,
  concurrency: () => connections,
  mayKeepVersions: true,
  movesTrees: true,
  open: openKnownWebdav,
});
