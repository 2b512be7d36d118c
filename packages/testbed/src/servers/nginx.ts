import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, run, startProcess } from '../process.ts';
import { type DavServer, davFolders, davPassword, davUser } from './dav-server.ts';

interface Options {
  /** Additional directives of the `server` block. */
  readonly extra?: readonly string[];
  /** Enabled write methods; all by default. */
  readonly methods?: string;
}

/** Starts nginx with its WebDAV module and dav-ext, for one user with Basic authentication; it serves `/`. */
export async function startNginx({ extra = [], methods = 'PUT DELETE MKCOL COPY MOVE' }: Options = {}): Promise<DavServer> {
  const folders = await davFolders('nginx');
  const port = await freePort();
  const users = join(folders.path, 'users');
  await writeFile(users, `${davUser}:${(await run('openssl', ['passwd', '-apr1', davPassword])).trim()}\n`, { mode: 0o644 });
  const config = join(folders.path, 'nginx.conf');
  await writeFile(config, configuration({ ...folders, port, users, extra, methods }));
  const server = await startProcess({
    command: 'nginx',
    args: ['-p', folders.path, '-c', config, '-e', join(folders.path, 'error.log')],
    ready: port,
    debianPackage: 'nginx libnginx-mod-http-dav-ext',
  });
  return {
    host: '127.0.0.1',
    port,
    url: `http://127.0.0.1:${port}`,
    user: davUser,
    password: davPassword,
    home: folders.home,
    async stop() {
      await server.stop();
      await folders.remove();
    },
  };
}

type Place = Awaited<ReturnType<typeof davFolders>>;

const configuration = ({
  path,
  state,
  home,
  port,
  users,
  extra,
  methods,
}: Place & { port: number; users: string; extra: readonly string[]; methods: string }): string => `
load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
daemon off;
user nobody nogroup;
pid ${path}/pid;
worker_processes 2;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  client_max_body_size 0;
  client_body_temp_path ${state}/body;
  proxy_temp_path ${state}/proxy;
  fastcgi_temp_path ${state}/fastcgi;
  uwsgi_temp_path ${state}/uwsgi;
  scgi_temp_path ${state}/scgi;
  dav_ext_lock_zone zone=locks:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      root ${home};
      auth_basic sheaf;
      auth_basic_user_file ${users};
      dav_methods ${methods};
      dav_ext_methods PROPFIND OPTIONS;
    }
    ${extra.join('\n    ')}
  }
}
`;
