import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before } from 'node:test';
import { type GoogleCloud, startGoogleCloud } from '@sheaf/testbed';
import { testEnv } from '../../../../conformance/env.ts';
import type { Connector, Entry, WriteOptions } from '../../../../core/connector.ts';
import { collect } from '../../../../kit/body/body.ts';
import { parseCloudConfig } from '../config.ts';
import { openCloud } from '../connector.ts';
import { googlecloud } from '../index.ts';
import type { StoreOptions } from '../store.ts';

export const client = { id: 'sheaf', secret: 'secret of sheaf', redirectUris: ['https://sheaf.example/oauth'] };
export const ask = () => ({ signal: AbortSignal.timeout(30_000) });
const storageScope = 'https://www.googleapis.com/auth/devstorage.read_write';

/** Small chunks, so that short bodies also use upload sessions. */
export const smallSizes = { whole: 1024, chunk: 256 * 1024 };

/** Starts a simulator for one test file; fails when it has received requests outside the API description. */
export function startCloudTest() {
  let started: GoogleCloud | undefined;
  const opened: Connector[] = [];
  before(async () => {
    started = await startGoogleCloud({ client });
  });
  after(async () => {
    for (const connector of opened) await connector.close();
    await started?.stop();
    started?.assertClean();
  });
  const cloud = (): GoogleCloud => started ?? assert.fail('the simulator is not running');

  const envOf = (email = 'mara@example.org', scopes: readonly string[] = [storageScope], seconds?: number) => {
    const { accessToken, refreshToken, expiresIn = 3600 } = cloud().oauth.grant(email, scopes, seconds);
    const expiresAt = Date.now() + expiresIn * 1000;
    return testEnv({
      app: cloud().app,
      grant: { accessToken, expiresAt, ...(refreshToken !== undefined && { refreshToken }) },
      ...(googlecloud.authorization && { authorization: googlecloud.authorization }),
      provider: 'GoogleCloud',
    });
  };
  const open = (info: Record<string, string>, env = envOf(), options: StoreOptions = {}): Connector => {
    const connector = openCloud(parseCloudConfig(info), env, options);
    opened.push(connector);
    return connector;
  };
  const newBucket = (members?: readonly string[], facts: { readonly versioned?: boolean } = {}): string => {
    const bucketName = `bucket-${randomUUID()}`;
    cloud().addBucket(bucketName, members, facts);
    return bucketName;
  };
  return { cloud, envOf, open, newBucket };
}

export const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(folder, ask())))
    .flat()
    .map(({ name }) => name)
    .sort();
export const bytesOf = async (connector: Connector, path: string): Promise<Buffer> => collect(await connector.read(path, ask()));
export const textOf = async (connector: Connector, path: string): Promise<string> => (await bytesOf(connector, path)).toString();

export async function write(
  connector: Connector,
  path: string,
  bytes: string | Uint8Array | Readable,
  more: Partial<WriteOptions> = {},
): Promise<Entry> {
  const isStream = bytes instanceof Readable;
  const body = isStream ? bytes : Readable.from([Buffer.from(bytes)]);
  const size = isStream ? {} : { size: Buffer.byteLength(bytes) };
  return (await connector.write?.(path, body, { ...ask(), ifExists: 'replace', ...size, ...more })) ?? assert.fail('cannot write');
}
