import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before } from 'node:test';
import { type Google, startGoogle } from '@sheaf/testbed';
import { testEnv } from '../../../../conformance/env.ts';
import type { Connector, Entry, WriteOptions } from '../../../../core/connector.ts';
import { collect } from '../../../../kit/body/body.ts';
import { openDrive } from '../connector.ts';
import { googledrive } from '../index.ts';

export const client = { id: 'sheaf', secret: 'secret of sheaf', redirectUris: ['https://sheaf.example/oauth'] };
export const ask = () => ({ signal: AbortSignal.timeout(30_000) });
const driveScope = 'https://www.googleapis.com/auth/drive';

/** Small chunks, so that short bodies also use upload sessions. */
export const smallSizes = { whole: 1024, chunk: 256 * 1024 };

/** Starts a simulator for one test file; fails when it has received requests outside the API description. */
export function startDriveTest({ limit, seeded = false }: { readonly limit?: number; readonly seeded?: boolean } = {}) {
  let started: Google | undefined;
  const opened: Connector[] = [];
  before(async () => {
    started = await startGoogle({ client, seeded, ...(limit !== undefined && { limit }) });
  });
  after(async () => {
    for (const connector of opened) await connector.close();
    await started?.stop();
    started?.assertClean();
  });
  const google = (): Google => started ?? assert.fail('the simulator is not running');

  const envOf = (email = 'mara@example.org', scopes: readonly string[] = [driveScope], seconds?: number) => {
    const { accessToken, refreshToken, expiresIn = 3600 } = google().oauth.grant(email, scopes, seconds);
    const expiresAt = Date.now() + expiresIn * 1000;
    return testEnv({
      app: google().app,
      grant: { accessToken, expiresAt, ...(refreshToken !== undefined && { refreshToken }) },
      ...(googledrive.authorization && { authorization: googledrive.authorization }),
      provider: 'GoogleDrive',
    });
  };
  const open = (env = envOf(), options: Parameters<typeof openDrive>[1] = {}): Connector => {
    const connector = openDrive(env, options);
    opened.push(connector);
    return connector;
  };
  return { google, envOf, open, mara: () => google().oauth.accounts[0] ?? assert.fail('nobody has an account') };
}

export const listed = async (connector: Connector, folder: string): Promise<Map<string, Entry>> => {
  const entries = (await Array.fromAsync(connector.list(folder, ask()))).flat();
  assert.equal(new Set(entries.map(({ name }) => name)).size, entries.length, 'a name is listed twice');
  return new Map(entries.map((entry) => [entry.name, entry]));
};
export const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  [...(await listed(connector, folder)).keys()].sort();
export const textOf = async (connector: Connector, path: string): Promise<string> =>
  (await collect(await connector.read(path, ask()))).toString();

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
