import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { type B2, startB2 } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import type { Connector, WriteOptions } from '../../../core/connector.ts';
import { collect } from '../../../kit/body/body.ts';
import { parseB2Config } from '../config.ts';
import { openB2 } from '../connector.ts';
import type { StoreOptions } from '../store.ts';

export const ask = () => ({ signal: AbortSignal.timeout(20_000) });
export const call = (operation: string) => `POST /b2api/{version}/${operation}`;

/** Starts a server with a bucket and a link to it. */
export async function start(t: TestContext, options: StoreOptions = {}) {
  const server = await startB2();
  t.after(async () => {
    await server.stop();
    server.assertClean();
  });
  const bucket = server.createBucket('photos');
  const open = (info: Record<string, string> = server.masterKey): Connector => {
    const connector = openB2(parseB2Config(info), testEnv({ app: { apiUrl: server.url } }), options);
    t.after(() => connector.close());
    return connector;
  };
  return { server, bucket, open, connector: open() };
}

export const write = async (connector: Connector, path: string, bytes: Uint8Array | string, more: Partial<WriteOptions> = {}) =>
  connector.write?.(path, Readable.from([Buffer.from(bytes)]), { ...ask(), ifExists: 'replace', size: Buffer.byteLength(bytes), ...more });
export const textOf = async (connector: Connector, path: string): Promise<string> =>
  (await collect(await connector.read(path, ask()))).toString();
export const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(folder, ask())))
    .flat()
    .map(({ name }) => name)
    .sort();
export const asked = ({ requests }: B2, operation: string): number => requests.filter((one) => one.operation === operation).length;
