import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort, startProcess, tempDir } from '../process.ts';

export interface Azurite {
  readonly host: string;
  readonly port: number;
  /** The account's endpoint: `http://host:port/account`. */
  readonly endpoint: string;
  readonly account: string;
  /** Base64. */
  readonly key: string;
  createContainer(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** The account that every Azurite has, published in its documentation: https://learn.microsoft.com/azure/storage/common/storage-use-azurite */
const account = 'devstoreaccount1';
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** Starts Microsoft's Blob storage emulator on a temporary folder. */
export async function startAzurite(): Promise<Azurite> {
  const folder = await tempDir('azurite');
  const port = await freePort();
  const program = fileURLToPath(new URL('../../../../node_modules/.bin/azurite-blob', import.meta.url));
  const where = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', folder.path];
  const server = await startProcess({
    command: process.execPath,
    args: [program, ...where, '--silent', '--disableTelemetry', '--skipApiVersionCheck'],
    ready: port,
  });
  const endpoint = `http://127.0.0.1:${port}/${account}`;
  return {
    host: '127.0.0.1',
    port,
    endpoint,
    account,
    key,
    createContainer: (name) => createContainer(endpoint, name),
    async stop() {
      await server.stop();
      await folder.remove();
    },
  };
}

async function createContainer(endpoint: string, name: string): Promise<void> {
  const date = new Date().toUTCString();
  const signed = `PUT${'\n'.repeat(12)}x-ms-date:${date}\nx-ms-version:2021-10-04\n/${account}/${account}/${name}\nrestype:container`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64');
  const made = await fetch(`${endpoint}/${name}?restype=container`, {
    method: 'PUT',
    headers: { 'x-ms-date': date, 'x-ms-version': '2021-10-04', authorization: `SharedKey ${account}:${signature}` },
  });
  if (!made.ok) throw new Error(`Azurite made no container: ${made.status} ${await made.text()}`);
}
