import { type FtpServer, certificateFor, run, startProftpd, startVsftpd } from '@sheaf/testbed';
import { fetchAway, send } from '../curl.ts';
import { obscured } from '../rclone.ts';
import { homeOf } from './files.ts';
import type { BenchServer } from './server.ts';

/** Without TLS vsftpd, the faster of the two, where the machine has it; else ProFTPD. Its own client is curl. */
export async function startFtpServer({ secure }: { readonly secure: boolean }): Promise<BenchServer> {
  const server = secure ? await startSecure() : (await hasVsftpd()) ? await startVsftpd() : await startProftpd();
  const { user, password, home } = server;
  const pass = await obscured(password);
  const more = ['--user', `${user}:${password}`, ...(secure ? ['--ssl-reqd', '--insecure'] : [])];

  const behind = (port: number) => ({
    linking: {
      family: 'ftp' as const,
      provider: 'FTP',
      info: {
        server: `127.0.0.1:${port}`,
        protocol: secure ? 'FTPS (Explicit TLS)' : 'FTP',
        username: user,
        password,
        numConcurrentConnections: '2',
        path: '/',
        enforceSSL: 'IGNORE_MATCH',
      },
    },
    remote: {
      type: 'ftp',
      host: '127.0.0.1',
      port: String(port),
      user,
      pass,
      ...(secure && { explicit_tls: 'true', no_check_certificate: 'true', tls_cache_size: '0' }),
    },
    fetchDirectly: async (name: string, bytes: number) => (await fetchAway(`ftp://127.0.0.1:${port}/${name}`, bytes, { more })).seconds,
  });
  return {
    ...homeOf(home),
    ...behind(server.port),
    behind,
    port: server.port,
    remoteFolder: '',
    sendDirectly: async (file, name, bytes) => (await send(file, `ftp://127.0.0.1:${server.port}/${name}`, bytes, { more })).seconds,
    listDirectly: async (folder) => (await fetchAway(`ftp://127.0.0.1:${server.port}/${folder}/`, undefined, { more })).seconds,
    stop: server.stop,
  };
}

/** rclone 1.60 cannot resume the control connection's TLS session, which ProFTPD wants unless told. */
const startSecure = async (): Promise<FtpServer> =>
  startProftpd({ tls: await certificateFor('127.0.0.1'), extra: ['TLSOptions NoSessionReuseRequired'] });

const hasVsftpd = (): Promise<boolean> =>
  run('vsftpd', ['-v']).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
