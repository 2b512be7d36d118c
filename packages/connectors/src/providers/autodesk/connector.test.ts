import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { type Autodesk, startAutodesk } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { conformance, hardNames } from '../../conformance/index.ts';
import type { Connector, Entry } from '../../core/connector.ts';
import { collect } from '../../kit/body.ts';
import { type AutodeskOptions, openAutodesk } from './connector.ts';
import { autodesk } from './index.ts';

const MiB = 1024 * 1024;
const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const { authorization } = autodesk;
const scopes = authorization?.scopes('Autodesk') ?? [];
const [quay, bench] = ['/Harbour Works/Quay 7/Project Files', '/Sheaf Team/Bench/Bench'];

/** A link of Mara's, with what she granted. */
function open(server: Autodesk, granted: readonly string[] = scopes, options: AutodeskOptions = {}, seconds?: number): Connector {
  const { accessToken, refreshToken, expiresIn } = server.oauth.grant(server.people.mara.email, granted, seconds);
  const grant = { accessToken, ...(refreshToken && { refreshToken }), ...(expiresIn && { expiresAt: Date.now() + expiresIn * 1000 }) };
  return openAutodesk(testEnv({ app: server.app, grant, ...(authorization && { authorization }), provider: 'Autodesk' }), options);
}
const listed = async (connector: Connector, folder: string): Promise<Map<string, Entry>> =>
  new Map((await Array.fromAsync(connector.list(folder, ask()))).flat().map((entry) => [entry.name, entry]));
const put = (connector: Connector, path: string, bytes: string | Buffer, more: object = {}): Promise<Entry> =>
  connector.write?.(path, Readable.from([Buffer.from(bytes)]), {
    ...ask(),
    ifExists: 'replace',
    size: Buffer.byteLength(bytes),
    ...more,
  }) ?? assert.fail('no write');
const get = async (connector: Connector, path: string): Promise<string> => (await collect(await connector.read(path, ask()))).toString();
const made = async (connector: Connector, path: string): Promise<string> => {
  await connector.createFolder?.(path, ask());
  return path;
};

const badNames = [
  'quotes',
  'backslashes',
  'a question mark',
  'shell signs',
  'a colon and an at sign',
  'angle brackets of markup',
  'a tab',
  'a newline',
].map((what) => hardNames[what] ?? assert.fail(what));

describe('Autodesk', () => {
  let server: Autodesk;
  before(async () => {
    server = await startAutodesk();
  });
  after(() => server.stop());

  for (const [kind, root] of [
    ['Construction Cloud', quay],
    ['Fusion Team', bench],
  ] as const)
    describe(`on its simulator, in ${kind}`, () => {
      after(() => server.assertClean());
      conformance(`Autodesk ${kind}`, async () => open(server), { offers: ['search'], root, badNames, many: 450 });
    });
});
