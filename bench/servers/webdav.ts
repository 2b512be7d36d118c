import { startApache } from '@sheaf/testbed';
import { fetchAway, send } from '../curl.ts';
import { obscured } from '../rclone.ts';
import { homeOf } from './files.ts';
import type { BenchServer } from './server.ts';

const properties = '<resourcetype/><getcontentlength/><getlastmodified/><getetag/>';
const propfind = ['--request', 'PROPFIND', '--data', `<propfind xmlns="DAV:"><prop>${properties}</prop></propfind>`];

/** Apache with mod_dav; its own client is curl. */
export async function startWebdavServer(): Promise<BenchServer> {
  const server = await startApache();
  const { user, password, home } = server;
  const pass = await obscured(password);
  const more = ['--user', `${user}:${password}`];

  const behind = (port: number) => {
    const url = `http://127.0.0.1:${port}/dav`;
    return {
      linking: {
        family: 'webdav' as const,
        provider: 'WebDAV',
        info: { server: url, username: user, password, authType: 'basic', enforceSSL: 'ENFORCE_MATCH' },
      },
      remote: { type: 'webdav', url, vendor: 'other', user, pass },
      fetchDirectly: async (name: string, bytes: number) => (await fetchAway(`${url}/${name}`, bytes, { more })).seconds,
    };
  };
  return {
    ...homeOf(home),
    ...behind(server.port),
    behind,
    port: server.port,
    remoteFolder: '',
    sendDirectly: async (file, name, bytes) => (await send(file, `${server.url}/${name}`, bytes, { more })).seconds,
    listDirectly: async (folder) =>
      (await fetchAway(`${server.url}/${folder}/`, undefined, { headers: { depth: '1' }, more: [...more, ...propfind] })).seconds,
    stop: server.stop,
  };
}
