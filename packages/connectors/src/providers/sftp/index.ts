import { define } from '../../core/definition.ts';
import { accountName } from '../../kit/rest/account-name.ts';
import { type SftpConfig, parseConfig } from './config.ts';
import { openKnownSftp } from './connector.ts';

/** Operations that may share one connection; SSH multiplexes any number. */
const perConnection = 4;

export const sftp = define<SftpConfig>({
  id: 'sftp',
  secrets: ['password', 'keyfileContent'],
  parse: parseConfig,
  account: ({ username, host, port, path }) => accountName(username, { host, port, usualPort: 22, path }),
  identity: ({ username, host, port, path }) => JSON.stringify([host.toLowerCase(), port, username, path.replace(/\/+$/, '')]),
  concurrency: ({ numConcurrentConnections }) => numConcurrentConnections * perConnection,
  movesTrees: true,
  open: openKnownSftp,
});
