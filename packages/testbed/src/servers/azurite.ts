import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort, startProcess, tempDir } from '../process.ts';

export interface AzuriteAccount {
  /** The account's endpoint: `http://host:port/account`. */
  readonly endpoint: string;
  readonly account: string;
  /** Base64. */
  readonly key: string;
  createContainer(name: string): Promise<void>;
}

export interface Azurite extends AzuriteAccount {
  readonly host: string;
  readonly port: number;
  /** Another account of the same service. */
  readonly other: AzuriteAccount;
  stop(): Promise<void>;
}

/** The account that every Azurite has, published in its documentation: https://learn.microsoft.com/azure/storage/common/storage-use-azurite */
const published = 'devstoreaccount1';
const publishedKey = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const otherName = 'otheraccount2';
const otherKey = Buffer.from('the key of the other account').toString('base64');

/** Starts Microsoft's Blob storage emulator on a temporary folder. */
export async function startAzurite(): Promise<Azurite> {
  const folder = await tempDir('azurite');
  const port = await freePort();
  const program = fileURLToPath(new URL('../../../../node_modules/.bin/azurite-blob', import.meta.url));
  const where = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', folder.path];
  const server = await startProcess({
    command: process.execPath,
    args: [program, ...where, '--silent', '--disableTelemetry', '--skipApiVersionCheck'],
    env: { AZURITE_ACCOUNTS: `${published}:${publishedKey};${otherName}:${otherKey}` },
    ready: port,
  });
  const accountOf = (account: string, key: string): AzuriteAccount => {
    const endpoint = `http://127.0.0.1:${port}/${account}`;
    return { endpoint, account, key, createContainer: (name) => createContainer({ endpoint, account, key }, name) };
  };
  return {
    host: '127.0.0.1',
    port,
    ...accountOf(published, publishedKey),
    other: accountOf(otherName, otherKey),
    async stop() {
      await server.stop();
      await folder.remove();
    },
  };
}

type Access = Pick<AzuriteAccount, 'endpoint' | 'account' | 'key'>;

async function createContainer({ endpoint, account, key }: Access, name: string): Promise<void> {
  const date = new Date().toUTCString();
  const signed = `PUT${'\n'.repeat(12)}x-ms-date:${date}\nx-ms-version:2021-10-04\n/${account}/${account}/${name}\nrestype:container`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64');
  const made = await fetch(`${endpoint}/${name}?restype=container`, {
    method: 'PUT',
    headers: { 'x-ms-date': date, 'x-ms-version': '2021-10-04', authorization: `SharedKey ${account}:${signature}` },
  });
  if (!made.ok) throw new Error(`Azurite made no container: ${made.status} ${await made.text()}`);
}
