import { startProftpd, startProxy, startVsftpd } from '@sheaf/testbed';
import { clearsUp } from '../../conformance/leftovers.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseFtpConfig } from './config.ts';
import { openFtp } from './connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });

for (const [make, start] of Object.entries({ ProFTPD: startProftpd, vsftpd: startVsftpd })) {
  clearsUp(
    make,
    async () => {
      const server = await start();
      const login = { protocol: 'FTP', username: server.user, password: server.password };
      return {
        ...server,
        proxy: () => startProxy({ target: { port: server.port } }),
        open: (port, leftovers) => openFtp(parseFtpConfig({ server: `127.0.0.1:${port}`, ...login }), { dialer, leftovers }),
      };
    },
    { stepsAside: true },
  );
}
