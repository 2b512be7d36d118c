import { define } from '../../core/definition.ts';
import { accountName } from '../../kit/rest/account-name.ts';
import { type FtpConfig, parseFtpConfig } from './config.ts';

export const ftp = define<FtpConfig>({
  id: 'ftp',
  secrets: ['password'],
  parse: parseFtpConfig,
  account: ({ username, host, port, path }) => accountName(username, { host, port, usualPort: 21, path }),
  identity: ({ username, host, port, path }) => `ftp ${username}@${host.toLowerCase()}:${port} ${path}`,
  concurrency: ({ connections }) => connections,
  movesTrees: true,
  async open(config, env) {
    const { openFtp } = await import('./connector.ts');
    return openFtp(config, env);
  },
});
