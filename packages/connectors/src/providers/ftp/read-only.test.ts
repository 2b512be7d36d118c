import { startProftpd, startVsftpd } from '@sheaf/testbed';
import { readOnlyConformance } from '../../conformance/read-only.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseFtpConfig } from './config.ts';
import { openFtp } from './connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const servers = {
  'ProFTPD on a closed folder': startProftpd,
  'vsftpd on a closed folder': startVsftpd,
  'vsftpd without writing': () => startVsftpd({ extra: ['write_enable=NO'] }),
};

for (const [title, start] of Object.entries(servers))
  readOnlyConformance(title, async () => {
    const server = await start();
    const info = {
      server: `${server.host}:${server.port}`,
      protocol: 'FTP',
      username: server.user,
      password: server.password,
      numConcurrentConnections: '2',
    };
    return { ...server, open: () => openFtp(parseFtpConfig(info), { dialer }) };
  });
