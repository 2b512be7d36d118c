import { createHmac } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type Azurite, startAzurite } from '@sheaf/testbed';
import { fetchAway, send } from '../curl.ts';
import { contentOf, fileNames } from './files.ts';
import { inTurn } from './in-turn.ts';
import type { BenchServer } from './server.ts';

const container = 'bench';
/** Every upload says what kind of blob it makes. */
const headers = { 'x-ms-blob-type': 'BlockBlob' };

/** Azurite; its own client is curl with signed addresses. rclone finds an emulator at its standard port only, so it takes no part. */
export async function startAzure(): Promise<BenchServer> {
  const server = await startAzurite();
  await server.createContainer(container);
  const { account, key } = server;
  const signature = containerSignature(server);
  const address = (port: number, name: string): string => `http://127.0.0.1:${port}/${account}/${container}/${name}?${signature}`;
  const put = (file: string, name: string, bytes: number) => send(file, address(server.port, name), bytes, { headers });

  const behind = (port: number) => ({
    linking: {
      family: 's3' as const,
      provider: 'AzureStorage',
      info: {
        host: `http://127.0.0.1:${port}/${account}`,
        bucketName: container,
        key: account,
        secret: key,
        directoryStructure: "SIMPLE '/' DELIMITED",
      },
    },
    remote: undefined,
    fetchDirectly: async (name: string, bytes: number) => (await fetchAway(address(port, name), bytes)).seconds,
  });
  async function request(method: 'PUT' | 'DELETE', name: string, content?: Buffer): Promise<void> {
    const answer = await fetch(address(server.port, name), { method, ...(content && { headers, body: new Uint8Array(content) }) });
    await answer.arrayBuffer();
    if (!answer.ok && answer.status !== 404) throw new Error(`${method} ${name}: ${answer.status}`);
  }
  return {
    ...behind(server.port),
    behind,
    port: server.port,
    remoteFolder: container,
    async place(file, name) {
      const { size } = await stat(file);
      await put(file, name, size);
    },
    fill: (folder, count, size = 0) => inTurn(fileNames(count), (name) => request('PUT', `${folder}/${name}`, contentOf(name, size))),
    remove: (name) => request('DELETE', name),
    sendDirectly: async (file, name, bytes) => (await put(file, name, bytes)).seconds,
    stop: server.stop,
  };
}

/**
 * A signature that lets whoever has it read, write and delete in the container for an hour.
 * https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 */
function containerSignature({ account, key }: Azurite): string {
  const [permissions, version, protocols] = ['rcwd', '2021-10-04', 'https,http'];
  const expiry = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
  const text = [permissions, '', expiry, `/blob/${account}/${container}`, '', '', protocols, version, 'c', '', '', '', '', '', '', ''];
  const sig = createHmac('sha256', Buffer.from(key, 'base64')).update(text.join('\n')).digest('base64');
  return new URLSearchParams({ sv: version, sr: 'c', sp: permissions, se: expiry, spr: protocols, sig }).toString();
}
