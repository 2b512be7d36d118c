import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttp } from '../http/http-client.ts';
import type { HttpOptions } from '../http/http.ts';
import { createDialer } from '../net/dialer.ts';

const dialer = createDialer({ privateNetworks: 'allow' });

/** Starts a local server with that handler; returns a client of it and a count of its connections. The caller closes it. */
export async function serveHttp(handler: RequestListener, options: Partial<HttpOptions> = {}) {
  const server = createServer(handler);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createHttp({ origin, dialer, verify: true, ...options });
  const close = (): void => {
    client.close();
    server.closeAllConnections();
    server.close();
  };
  return { client, server, connections: () => connections, close };
}
