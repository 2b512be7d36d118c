import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { Procore } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import type { Connector, Entry, WriteOptions } from '../../../core/connector.ts';
import { collect } from '../../../kit/body/body.ts';
import { type ProcoreOptions, openProcore } from '../connector.ts';
import { procore } from '../index.ts';

export const MiB = 1024 * 1024;
export const ask = (): { readonly signal: AbortSignal } => ({ signal: AbortSignal.timeout(20_000) });
/** A project's folder, and a company's own documents. */
export const [drawings, own] = ['/Harbour Builders/Quay 7/Drawings', '/Harbour Builders/Company documents'] as const;
export const authorization = procore.authorization ?? assert.fail('no authorization');

interface Options extends ProcoreOptions {
  /** Lifetime of the access token in seconds. */
  readonly seconds?: number;
  readonly email?: string;
}

/** Opens a link of Mara's, or of the given person, with her grant. */
export function open(server: Procore, options: Options = {}): Connector {
  const { seconds, email = server.people.mara.email } = options;
  const { accessToken, refreshToken, expiresIn } = server.oauth.grant(email, [], seconds);
  const grant = { accessToken, ...(refreshToken && { refreshToken }), ...(expiresIn && { expiresAt: Date.now() + expiresIn * 1000 }) };
  return openProcore(testEnv({ app: server.app, grant, authorization, provider: 'Procore' }), options);
}

export const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(folder, ask())))
    .flat()
    .map(({ name }) => name)
    .sort();

export const put = (
  connector: Connector,
  path: string,
  bytes: string | Buffer | Readable,
  more: Partial<WriteOptions> = {},
): Promise<Entry> => {
  const body = bytes instanceof Readable ? bytes : Readable.from([Buffer.from(bytes)]);
  const size = bytes instanceof Readable ? {} : { size: Buffer.byteLength(bytes) };
  return connector.write?.(path, body, { ...ask(), ifExists: 'replace', ...size, ...more }) ?? assert.fail('no write');
};

export const get = async (connector: Connector, path: string): Promise<Buffer> => collect(await connector.read(path, ask()));

export async function made(connector: Connector, path: string): Promise<string> {
  await (connector.createFolder?.(path, ask()) ?? assert.fail('no createFolder'));
  return path;
}
