import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { type FtpServer, startProftpd } from '@sheaf/testbed';
import { createDialer } from '../../../kit/net/dialer.ts';
import { parseFtpConfig } from '../config.ts';
import { openFtp } from '../connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });

/**
 * Connects through a proxy that passes each command to `hear`, which returns the line to forward, or undefined to close the connection.
 * `facts` are the link's stored facts.
 */
export async function linked(t: TestContext, hear: (line: string) => string | undefined = (line) => line) {
  const server: FtpServer = await startProftpd();
  const line = createServer((client) => {
    const upstream = connect(server.port, '127.0.0.1');
    upstream.pipe(client);
    client.on('data', (bytes) => {
      // Several commands may arrive at once.
      for (const sent of bytes.toString('latin1').split(/(?<=\n)/)) {
        const line = hear(sent);
        if (line === undefined) return void client.destroy();
        upstream.write(line, 'latin1');
      }
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const address = line.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const config = parseFtpConfig({ server: `127.0.0.1:${port}`, protocol: 'FTP', username: server.user, password: server.password });
  const facts = new Map<string, string>();
  const recall = async (fact: string) => facts.get(fact);
  const remember = async (fact: string, value: string) => void facts.set(fact, value);
  const connector = openFtp(config, { dialer, recall, remember });
  t.after(async () => {
    await connector.close();
    line.close();
    await server.stop();
  });
  return { connector, home: server.home, facts };
}
