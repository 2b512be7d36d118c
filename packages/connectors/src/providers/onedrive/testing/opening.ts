import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { type Microsoft, startMicrosoft } from '@sheaf/testbed';
import { testEnv } from '../../../conformance/env.ts';
import type { Connector, Entry, WriteOptions } from '../../../core/connector.ts';
import type { Leftovers } from '../../../core/leftovers.ts';
import { collect } from '../../../kit/body/body.ts';
import { authorization } from '../account/authorization.ts';
import { onedrive } from '../index.ts';

export type Provider = keyof Microsoft['apps'];

interface As {
  readonly scopes?: readonly string[];
  /** Lifetime of the access token in seconds. */
  readonly seconds?: number;
  readonly leftovers?: Leftovers;
}

/** Opens a link at the simulator: Mara's for personal accounts, otherwise Noor's. */
export function openAt(microsoft: Microsoft, provider: Provider, { scopes, seconds, leftovers }: As = {}): Promise<Connector> {
  const { consumers, organizations, people, apps } = microsoft;
  const [oauth, account] = provider === 'OneDrive' ? [consumers, people.mara] : [organizations, people.noor];
  const issued = oauth.grant(account.id, scopes, seconds);
  const { accessToken, refreshToken, expiresIn } = issued;
  const grant = {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresIn !== undefined && { expiresAt: Date.now() + expiresIn * 1000 }),
  };
  const config = onedrive.parse({ accountId: account.id, account: account.email }, provider);
  return onedrive.open(config, { ...testEnv({ app: apps[provider], grant, authorization, provider }), ...(leftovers && { leftovers }) });
}

/** Starts a simulator for one test and opens a link, with shorthands for its calls. */
export async function opening(t: TestContext, provider: Provider, options: Parameters<typeof startMicrosoft>[0] & As = {}) {
  const microsoft = await startMicrosoft(options);
  t.after(async () => {
    await microsoft.stop();
    microsoft.assertClean();
  });
  const connector = await openAt(microsoft, provider, options);
  t.after(() => connector.close());
  const { people, world } = microsoft;
  return {
    microsoft,
    connector,
    drive: microsoft.driveOf(provider === 'OneDrive' ? people.mara : people.noor),
    content: (bytes: string | Uint8Array) => world.contents.of(bytes),
    ...waysToAsk(connector),
  };
}

export const ask = (): { readonly signal: AbortSignal } => ({ signal: AbortSignal.timeout(30_000) });

export const waysToAsk = (connector: Connector) => ({
  async names(folder: string): Promise<string[]> {
    const found: string[] = [];
    for await (const batch of connector.list(folder, ask())) found.push(...batch.map(({ name }) => name));
    return found.sort();
  },
  get: async (path: string): Promise<Buffer> => collect(await connector.read(path, ask())),
  put(path: string, bytes: string | Uint8Array | Readable, more: Partial<WriteOptions> = {}): Promise<Entry> {
    const body = bytes instanceof Readable ? bytes : Readable.from([Buffer.from(bytes)]);
    const size = bytes instanceof Readable ? {} : { size: Buffer.byteLength(bytes) };
    return connector.write?.(path, body, { ...ask(), ifExists: 'replace', ...size, ...more }) ?? Promise.reject(new Error('cannot write'));
  },
});
