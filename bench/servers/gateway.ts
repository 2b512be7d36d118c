import { startFileServer } from '@sheaf/testbed';
import { fetchAway, send } from '../curl.ts';
import { homeOf } from './files.ts';
import type { BenchServer } from './server.ts';

/** The Sheaf file server; its own client is curl, as rclone does not know the protocol. */
export async function startGateway(): Promise<BenchServer> {
  const server = await startFileServer();
  const { user, password, root } = server;
  const more = ['--user', `${user}:${password}`];

  const behind = (port: number) => {
    const url = `http://127.0.0.1:${port}`;
    return {
      linking: { family: 'ofs' as const, provider: 'OFS', info: { server: url, username: user, password } },
      remote: undefined,
      fetchDirectly: async (name: string, bytes: number) => (await fetchAway(contentOf(url, name), bytes, { more })).seconds,
    };
  };
  return {
    ...homeOf(root),
    ...behind(server.port),
    behind,
    port: server.port,
    remoteFolder: '',
    sendDirectly: async (file, name, bytes) => (await send(file, contentOf(server.url, name), bytes, { more })).seconds,
    stop: server.stop,
  };
}

const contentOf = (url: string, name: string): string => `${url}/sheaf/v1/content?path=/${name}`;
