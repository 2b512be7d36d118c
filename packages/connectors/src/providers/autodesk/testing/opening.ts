import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { Autodesk } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import type { Connector, Entry, WriteOptions } from '../../../core/connector.ts';
import { collect } from '../../../kit/body/body.ts';
import { type AutodeskOptions, openAutodesk } from '../connector.ts';
import { autodesk } from '../index.ts';

export const MiB = 1024 * 1024;
export const ask = (): { readonly signal: AbortSignal } => ({ signal: AbortSignal.timeout(20_000) });
/** One folder in Construction Cloud and one in Fusion Team, whose rules differ. */
export const [quay, bench] = ['/Harbour Works/Quay 7/Project Files', '/Sheaf Team/Bench/Bench'] as const;
export const authorization = autodesk.authorization ?? assert.fail('no authorization');

interface Options extends AutodeskOptions {
  readonly scopes?: readonly string[];
  /** Lifetime of the access token in seconds. */
  readonly seconds?: number;
  readonly email?: string;
}

/** Opens a link of Mara's, or of the given person, with her grant. */
export function open(server: Autodesk, options: Options = {}): Connector {
  const { scopes = authorization.scopes('Autodesk'), seconds, email = server.people.mara.email } = options;
  const { accessToken, refreshToken, expiresIn } = server.oauth.grant(email, scopes, seconds);
  const grant = { accessToken, ...(refreshToken && { refreshToken }), ...(expiresIn && { expiresAt: Date.now() + expiresIn * 1000 }) };
  return openAutodesk(testEnv({ app: server.app, grant, authorization, provider: 'Autodesk' }), options);
}

export const listed = async (connector: Connector, folder: string): Promise<Map<string, Entry>> =>
  new Map((await Array.fromAsync(connector.list(folder, ask()))).flat().map((entry) => [entry.name, entry]));

export const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  [...(await listed(connector, folder)).keys()].sort();

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
