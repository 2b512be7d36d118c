import { startApache, startNginx } from '@sheaf/testbed';
import { readOnlyConformance } from '../../conformance/read-only.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseWebdavConfig } from './config.ts';
import { openWebdav } from './connector.ts';

const env = { dialer: createDialer({ privateNetworks: 'allow' }), remember: async () => undefined, recall: async () => undefined };
const servers = {
  'Apache on a closed folder': () => startApache(),
  'nginx on a closed folder': () => startNginx(),
  'nginx without writing': () => startNginx({ methods: 'off' }),
};

for (const [title, start] of Object.entries(servers))
  readOnlyConformance(title, async () => {
    const server = await start();
    const info = { server: server.url, username: server.user, password: server.password, authType: 'basic' };
    return { ...server, open: () => openWebdav(parseWebdavConfig(info, 'webdav'), env) };
  });
