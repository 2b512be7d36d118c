import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startCloudDrive } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import type { Connector, WriteOptions } from '../../core/connector.ts';
import { collect } from '../../kit/body/body.ts';
import { authorization } from './authorization.ts';
import { openCloudDrive } from './connector.ts';
import { clouddrive } from './index.ts';

const redirectUri = 'http://127.0.0.1:1/oauth';
const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const signal = () => AbortSignal.timeout(20_000);
const renew = authorization.renew ?? assert.fail('grants cannot be renewed');

async function start(t: TestContext, scopes?: readonly string[], seconds?: number) {
  const server = await startCloudDrive({ redirectUris: [redirectUri] });
  t.after(async () => {
    await server.stop();
    server.assertClean();
  });
  const { accessToken, refreshToken = '' } = server.oauth.grant(server.mara.email, scopes, seconds);
  const connector = openCloudDrive(
    testEnv({ app: server.app, grant: { accessToken, refreshToken }, authorization, provider: 'CloudDrive' }),
  );
  t.after(() => connector.close());
  return { server, connector };
}

const write = async (connector: Connector, path: string, text: string, more: Partial<WriteOptions> = {}) =>
  connector.write?.(path, Readable.from([Buffer.from(text)]), { ...ask(), ifExists: 'replace', size: text.length, ...more });
const textOf = async (connector: Connector, path: string): Promise<string> => (await collect(await connector.read(path, ask()))).toString();
const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(folder, ask())))
    .flat()
    .map(({ name }) => name)
    .sort();

test('a user authorizes Sheaf, and the grant is renewed with a permanent refresh token', async (t) => {
  const { server } = await start(t);
  const env = testEnv({ app: server.app });
  const address = authorization.authorizeUrl({ provider: 'CloudDrive', redirectUri, state: 'state', challenge: 'x', prompt: false }, env);
  assert.deepEqual(new URL(address).searchParams.get('scope')?.split(' '), ['clouddrive:read_all', 'clouddrive:write']);
  const back = new URL(await server.oauth.visit(address, server.mara));
  const redeemAsk = { provider: 'CloudDrive', redirectUri, verifier: '', code: back.searchParams.get('code') ?? '' };
  const redeemed = await authorization.redeem(redeemAsk, env, signal());
  const info = await authorization.identify(redeemed, 'CloudDrive', env, signal());
  assert.deepEqual(info, { rootId: server.state.root.id });
  assert.equal(clouddrive.identity(clouddrive.parse(info, 'CloudDrive')), `clouddrive ${server.state.root.id}`);
  const next = await renew(redeemed.grant, 'CloudDrive', env, signal());
  assert.notEqual(next.accessToken, redeemed.grant.accessToken);
  assert.equal(next.refreshToken, redeemed.grant.refreshToken);
  await assert.rejects(authorization.redeem({ ...redeemAsk, code: 'another' }, env, signal()), { kind: 'unauthorized' });
  server.oauth.refuseRefresh();
  await assert.rejects(renew(redeemed.grant, 'CloudDrive', env, signal()), { kind: 'needsAuthorization' });
});

test('a token that expires in the middle of a listing is renewed once', async (t) => {
  const { server, connector } = await start(t);
  for (let index = 0; index < 450; index++) server.state.add({ name: `item ${index}`, kind: 'FOLDER', parents: [server.state.root.id] });
  const found: string[] = [];
  for await (const batch of connector.list('/', ask())) {
    if (found.length === 0) server.oauth.expireAll();
    found.push(...batch.map(({ name }) => name));
  }
  assert.equal(new Set(found).size, 450);
  assert.equal(server.oauth.refreshes(), 1);
});

test('a read-only grant is forbidden to write', async (t) => {
  const { connector } = await start(t, ['clouddrive:read_all']);
  await assert.rejects(async () => connector.createFolder?.('/folder', ask()), { kind: 'forbidden' });
  await assert.rejects(write(connector, '/file', 'x'), { kind: 'forbidden' });
  assert.deepEqual(await namesIn(connector, '/'), []);
});

test('without an operator-configured URL nothing is sent: the service was shut down', async () => {
  const config = clouddrive.parse({ rootId: 'root' }, 'CloudDrive');
  await assert.rejects(clouddrive.open(config, testEnv({ grant: { accessToken: 'x' } })), { kind: 'unreachable' });
  assert.throws(() => clouddrive.parse({}, 'CloudDrive'), { kind: 'badConfig' });
});

test('bytes that change in transit are damaged in both directions, and the old file stays', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/file', 'good');
  for (const path of ['/file', '/new']) {
    server.manners.spoil = 1;
    await assert.rejects(write(connector, path, 'evil'), { kind: 'damaged' });
  }
  assert.equal(await textOf(connector, '/file'), 'good');
  assert.deepEqual(
    server.state.childrenOf(server.state.root.id).map(({ name }) => name),
    ['file'],
  );
  server.faults.next('GET /cdproxy/nodes/{id}/content', 1, { kind: 'corrupt', at: 1 });
  await assert.rejects(textOf(connector, '/file'), { kind: 'damaged' });
  server.faults.next('GET /cdproxy/nodes/{id}/content', 1, { kind: 'cut', afterBytes: 1 });
  await assert.rejects(textOf(connector, '/file'), { kind: 'interrupted' });
});

test('a replacement that cannot be renamed leaves the old file in place', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/file', 'old');
  server.faults.next(/PATCH /, 4, { kind: 'reply', reply: { status: 500, json: { code: 'INTERNAL' } } });
  await assert.rejects(write(connector, '/file', 'new'), { kind: 'unreachable' });
  assert.equal(await textOf(connector, '/file'), 'old');
  assert.deepEqual(await namesIn(connector, '/'), ['file']);
});

test('of two writers that must not replace one is refused by the service itself', async (t) => {
  const { connector } = await start(t);
  const both = await Promise.allSettled(['one', 'two'].map((text) => write(connector, '/file', text, { ifExists: 'fail' })));
  assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(await textOf(connector, '/file'), both[0]?.status === 'fulfilled' ? 'one' : 'two');
});

test('names that contain what a path cannot are shown and found', async (t) => {
  const { server, connector } = await start(t);
  for (const name of ['.', '..', 'quote " and * and \\ and ~']) server.state.add({ name, kind: 'FOLDER', parents: [server.state.root.id] });
  const names = await namesIn(connector, '/');
  assert.equal(names.length, 3);
  await connector.close();
  for (const name of names) assert.equal((await connector.stat(`/${name}`, ask())).kind, 'folder');
});

test('a move that fails half-way leaves the item where it was, under its own name', async (t) => {
  const { server, connector } = await start(t);
  await connector.createFolder?.('/target', ask());
  await write(connector, '/file', 'x');
  server.faults.next('POST /drive/v1/nodes/{id}/children', 1, { kind: 'reply', reply: { status: 500, json: { code: 'INTERNAL' } } });
  await assert.rejects(async () => connector.move?.('/file', '/target/renamed', ask()), { kind: 'unreachable' });
  assert.deepEqual(await namesIn(connector, '/'), ['file', 'target']);
});

test('a full drive is reported as such, and a busy one with the requested wait', async (t) => {
  const { server, connector } = await start(t);
  server.manners.quota = 3;
  await assert.rejects(write(connector, '/file', 'four'), { kind: 'full' });
  assert.deepEqual(await connector.usage?.(ask()), { used: 0, total: 3 });
  server.faults.next('GET /drive/v1/nodes/{id}/children', 1, { kind: 'rateLimit', retryAfter: 4 });
  await assert.rejects(namesIn(connector, '/'), { kind: 'rateLimited', retryable: true, retryAfter: 4000 });
});

test('changes whose checkpoint is lost, or whose paths are unknown, are incomplete', async (t) => {
  const { server, connector } = await start(t);
  const { cursor } = (await connector.changes?.(undefined, ask())) ?? assert.fail('no changes');
  const unseen = server.state.add({ name: 'unseen', kind: 'FOLDER', parents: [server.state.root.id] });
  server.state.add({ name: 'inside', kind: 'FOLDER', parents: [unseen.id] });
  const seen = await connector.changes?.(cursor, ask());
  assert.deepEqual(
    seen?.items.map(({ path }) => path),
    ['/unseen', '/unseen/inside'],
  );
  server.state.add({ name: 'lost', kind: 'FOLDER', parents: ['nowhere'] });
  assert.equal((await connector.changes?.(seen?.cursor, ask()))?.incomplete, true);
  const lost = await connector.changes?.('c-999999', ask());
  assert.equal(lost?.incomplete, true);
  assert.deepEqual((await connector.changes?.(lost?.cursor, ask()))?.items, []);
});

test('an item that another user replaced by one of the same name is found again', async (t) => {
  const { server, connector } = await start(t);
  const { state } = server;
  const add = (text: string) =>
    state.add({ name: 'file', kind: 'FILE', parents: [state.root.id], content: contentOf(text), contentType: 'text/plain' });
  const { of: contentOf } = server.contents;
  const old = add('old');
  assert.equal(await textOf(connector, '/file'), 'old');
  old.status = 'TRASH';
  add('new');
  assert.equal(await textOf(connector, '/file'), 'new');
});

test('a replaced file exists, old or new, when the service is busy, fails or stops responding half-way', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/file', 'old');
  const failing = { kind: 'reply', reply: { status: 500, json: { code: 'INTERNAL' } } } as const;
  for (const [at, fault, wanted] of [
    ['PUT /drive/v1/trash/{id}', { kind: 'lost' }, 'new'],
    ['PUT /drive/v1/trash/{id}', { kind: 'rateLimit', retryAfter: 0 }, 'newer'],
    ['PATCH /drive/v1/nodes/{id}', { kind: 'lost' }, 'newest'],
  ] as const) {
    server.faults.next(at, 1, fault);
    await write(connector, '/file', wanted);
    assert.equal(await textOf(connector, '/file'), wanted);
  }
  const old = server.state.childrenOf(server.state.root.id).find(({ name }) => name === 'file');
  server.faults.next(new RegExp(`PUT .*/trash/${old?.id}`), 1, { kind: 'lost' });
  server.faults.next(new RegExp(`PUT .*/trash/${old?.id}`), 10, failing);
  await assert.rejects(write(connector, '/file', 'lost'), { kind: 'unreachable' });
  assert.equal(await textOf(connector, '/file'), 'newest');
  assert.deepEqual(await namesIn(connector, '/'), ['file']);
});

test('an item that does not arrive is moved back, although the service is busy', async (t) => {
  const { server, connector } = await start(t);
  await connector.createFolder?.('/target', ask());
  await write(connector, '/file', 'x');
  const refused = { kind: 'reply', reply: { status: 403, json: { code: 'FORBIDDEN' } } } as const;
  server.faults.next('POST /drive/v1/nodes/{id}/children', 1, refused);
  server.faults.next('PATCH /drive/v1/nodes/{id}', 1, { kind: 'lost' });
  server.faults.next('PATCH /drive/v1/nodes/{id}', 1, { kind: 'slow', ms: 0 });
  server.faults.next('PATCH /drive/v1/nodes/{id}', 1, { kind: 'rateLimit', retryAfter: 0 });
  await assert.rejects(async () => connector.move?.('/file', '/target/renamed', ask()), { kind: 'forbidden' });
  assert.deepEqual(await namesIn(connector, '/'), ['file', 'target']);
});
