import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateFiles } from '../certificates.ts';
import { freePort, run, startProcess } from '../process.ts';
import { type DavServer, davFolders, davPassword, davUser, nobody } from './dav-server.ts';

interface Options {
  /** Authentication scheme; Basic by default. */
  readonly auth?: 'basic' | 'digest';
  readonly tls?: CertificateFiles;
  /** Path at which the folder is served; `/dav` by default. */
  readonly at?: string;
  /** Additional server directives, such as `KeepAliveTimeout 1`. */
  readonly extra?: readonly string[];
}

const modules = 'mpm_event authn_core authn_file authz_core authz_user auth_basic auth_digest mime alias dir autoindex dav dav_fs dav_lock';
const realm = 'sheaf';

/** Starts Apache with mod_dav, for one user. */
export async function startApache({ auth = 'basic', tls, at = '/dav', extra = [] }: Options = {}): Promise<DavServer> {
  const folders = await davFolders('apache');
  const port = await freePort();
  const users = join(folders.path, 'users');
  await writeFile(users, auth === 'basic' ? await basicUser() : digestUser(), { mode: 0o644 });
  const config = join(folders.path, 'apache.conf');
  const lines = [...directives({ ...folders, port, tls }), ...location({ ...folders, users, auth, at }), ...extra, ''];
  await writeFile(config, lines.join('\n'));
  const server = await startProcess({
    command: 'apache2',
    args: ['-f', config, '-DFOREGROUND'],
    ready: port,
    debianPackage: 'apache2',
  });
  return {
    host: '127.0.0.1',
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}${at}`,
    user: davUser,
    password: davPassword,
    home: folders.home,
    async stop() {
      await server.stop();
      await folders.remove();
    },
  };
}

const basicUser = async (): Promise<string> => `${davUser}:${(await run('openssl', ['passwd', '-apr1', davPassword])).trim()}\n`;
const digestUser = (): string => `${davUser}:${realm}:${createHash('md5').update(`${davUser}:${realm}:${davPassword}`).digest('hex')}\n`;

type Place = Awaited<ReturnType<typeof davFolders>>;

const directives = ({ path, state, home, port, tls }: Place & { port: number; tls: CertificateFiles | undefined }): readonly string[] => [
  ...`${modules}${tls ? ' ssl' : ''}`.split(' ').map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
  'ServerName 127.0.0.1',
  `ServerRoot ${path}`,
  `DefaultRuntimeDir ${state}`,
  `PidFile ${join(path, 'pid')}`,
  `ErrorLog ${join(path, 'error.log')}`,
  'LogLevel warn',
  `Listen 127.0.0.1:${port}`,
  `User #${nobody.uid}`,
  `Group #${nobody.gid}`,
  'TypesConfig /etc/mime.types',
  'KeepAlive On',
  'MaxKeepAliveRequests 0',
  'EnableSendfile On',
  `DavLockDB ${join(state, 'locks')}`,
  `DocumentRoot ${home}`,
  ...(tls ? ['SSLEngine On', `SSLCertificateFile ${tls.certificate}`, `SSLCertificateKeyFile ${tls.key}`] : []),
];

const location = ({ home, users, auth, at }: Place & { users: string; auth: 'basic' | 'digest'; at: string }): readonly string[] => [
  `Alias ${at} ${home}`,
  `<Location ${at}>`,
  'Dav On',
  `AuthType ${auth === 'basic' ? 'Basic' : 'Digest'}`,
  `AuthName "${realm}"`,
  ...(auth === 'basic' ? ['AuthBasicProvider file'] : ['AuthDigestProvider file', `AuthDigestDomain ${at}`]),
  `AuthUserFile ${users}`,
  'Require valid-user',
  '</Location>',
];
