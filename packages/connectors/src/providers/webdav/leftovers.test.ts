import { startApache, startNginx, startProxy } from '@sheaf/testbed';
import { clearsUp } from '../../conformance/leftovers.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseWebdavConfig } from './config.ts';
import { openWebdav } from './connector.ts';

const env = { dialer: createDialer({ privateNetworks: 'allow' }), remember: async () => undefined, recall: async () => undefined };

for (const [make, start] of Object.entries({ Apache: () => startApache(), nginx: () => startNginx() })) {
  clearsUp(
    `WebDAV on ${make}`,
    async () => {
      const server = await start();
      const login = { username: server.user, password: server.password, authType: 'basic' };
      return {
        ...server,
        proxy: () => startProxy({ target: { port: server.port } }),
        open(port, leftovers) {
          const address = new URL(server.url);
          address.port = String(port);
          return openWebdav(parseWebdavConfig({ server: address.href, ...login }, 'webdav'), { ...env, leftovers });
        },
      };
    },
    { stepsAside: false },
  );
}
