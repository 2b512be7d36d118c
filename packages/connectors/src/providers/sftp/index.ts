import { define } from '../../core/definition.ts';
import { type SftpConfig, parseConfig } from './config.ts';
import { openSftp } from './connector.ts';

/** Operations that may share one connection; SSH carries any number side by side. */
const perConnection = 4;

export const sftp = define<SftpConfig>({
  id: 'sftp',
  secrets: ['password', 'keyfileContent'],
  parse: parseConfig,
  account: ({ username, host }) => `${username}@${host}`,
  identity: ({ username, host, port, path }) => JSON.stringify([host.toLowerCase(), port, username, path.replace(/\/+$/, '')]),
  concurrency: ({ numConcurrentConnections }) => numConcurrentConnections * perConnection,
  open: async (config, env) => openSftp(config, env),
});
