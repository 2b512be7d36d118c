import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type Oracle, startOracle } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import type { Connector, WriteOptions } from '../../core/connector.ts';
import { collect } from '../../kit/body/body.ts';
import { parseOracleConfig } from './config.ts';
import { openOracleDocuments } from './connector.ts';
import { oracledocuments } from './index.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const api = (path: string) => path.replace(' ', ' /documents/api/1.2');

async function start(t: TestContext, pageSize?: number) {
  const server = await startOracle();
  t.after(async () => {
    await server.stop();
    server.assertClean();
  });
  const open = (info: Record<string, string> = {}): Connector => {
    const config = parseOracleConfig({ url: `${server.url}/documents`, ...server.user, ...info });
    const connector = openOracleDocuments(config, testEnv(), { ...(pageSize !== undefined && { pageSize }) });
    t.after(() => connector.close());
    return connector;
  };
  return { server, open, connector: open() };
}

const write = async (connector: Connector, path: string, text: string, more: Partial<WriteOptions> = {}) =>
  connector.write?.(path, Readable.from([Buffer.from(text)]), { ...ask(), ifExists: 'replace', size: text.length, ...more });
const textOf = async (connector: Connector, path: string): Promise<string> => (await collect(await connector.read(path, ask()))).toString();
const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(folder, ask())))
    .flat()
    .map(({ name }) => name)
    .sort();
const asked = ({ requests }: Oracle, operation: string): number => requests.filter((one) => one.operation === api(operation)).length;

test('a wrong name or password is refused after one request', async (t) => {
  const { server, open } = await start(t);
  for (const info of [{ password: 'wrong' }, { username: 'nobody' }])
    await assert.rejects(namesIn(open(info), '/'), { kind: 'unauthorized' });
  assert.equal(server.requests.length, 2);
});

test('connection info is accepted as users type it: with or without a scheme, a path or spaces', () => {
  const user = { username: 'mara@example.org', password: 'x' };
  for (const [url, origin] of [
    ['docs.example.com', 'https://docs.example.com'],
    [' https://docs.example.com/documents/home ', 'https://docs.example.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ] as const) {
    const config = oracledocuments.parse({ url, ...user }, 'OracleDocuments');
    assert.equal(oracledocuments.identity(config), `oracledocuments mara@example.org@${origin}`);
    assert.equal(oracledocuments.account(config), `mara@example.org@${new URL(origin).host}`);
  }
  for (const [field, value] of [
    ['url', ''],
    ['url', 'ftp://docs.example.com'],
    ['url', 'https://'],
    ['username', ''],
    ['username', 'a:b'],
    ['password', ''],
  ] as const)
    assert.throws(() => parseOracleConfig({ url: 'docs.example.com', ...user, [field]: value }), { kind: 'badConfig', details: { field } });
});

test('the root shows the home folder and shared items, and files can be moved in and out of shares', async (t) => {
  const { server, connector } = await start(t);
  server.state.shareFolder('Shared by Noor');
  await write(connector, '/mine', 'm');
  assert.deepEqual(await namesIn(connector, '/'), ['Shared by Noor', 'mine']);
  await connector.move?.('/mine', '/Shared by Noor/ours', ask());
  assert.equal(await textOf(connector, '/Shared by Noor/ours'), 'm');
  await connector.move?.('/Shared by Noor/ours', '/mine', ask());
  assert.deepEqual(await namesIn(connector, '/Shared by Noor'), []);
});

test('5,000 items are paged in parallel, each once', async (t) => {
  const { server, connector } = await start(t);
  const folder = server.state.addFolder(server.state.home.id, 'many');
  for (let index = 0; index < 5000; index++) server.state.addFolder(folder.id, `item ${index}`);
  server.faults.next(api('GET /folders/{folderId}/items'), 5, { kind: 'slow', ms: 50 });
  assert.equal(new Set(await namesIn(connector, '/many')).size, 5000);
  assert.ok(server.peak() > 1, 'one page at a time');
});

test('a listing survives items that appear and disappear between its pages', async (t) => {
  const { server, connector } = await start(t, 10);
  const folder = server.state.addFolder(server.state.home.id, 'many');
  for (let index = 0; index < 25; index++) server.state.addFolder(folder.id, `item ${String(index).padStart(2, '0')}`);
  const found: string[] = [];
  for await (const batch of connector.list('/many', ask())) {
    if (found.length === 0) server.state.addFolder(folder.id, 'first of all');
    found.push(...batch.map(({ name }) => name));
  }
  assert.equal(new Set(found).size, found.length);
  for (let index = 0; index < 25; index++) assert.ok(found.includes(`item ${String(index).padStart(2, '0')}`));
});

test('a file whose name differs only in case is not replaced, although Oracle treats both names as equal', async (t) => {
  const { connector } = await start(t);
  await write(connector, '/README', 'kept');
  await assert.rejects(write(connector, '/readme', 'lost'), { kind: 'alreadyExists' });
  await assert.rejects(async () => connector.createFolder?.('/Readme', ask()), { kind: 'alreadyExists' });
  assert.equal(await textOf(connector, '/README'), 'kept');
  assert.equal((await connector.rename?.('/README', 'ReadMe', ask()))?.name, 'ReadMe');
  assert.deepEqual(await namesIn(connector, '/'), ['ReadMe']);
});

test('of two writers that must not replace one is refused, and the first file stays', async (t) => {
  const { server, connector } = await start(t);
  const both = await Promise.allSettled(['one', 'two'].map((text) => write(connector, '/file', text, { ifExists: 'fail' })));
  assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1);
  const kept = await textOf(connector, '/file');
  assert.equal(kept, both[0]?.status === 'fulfilled' ? 'one' : 'two');
  assert.equal(server.state.childrenOf(server.state.home.id).length, 1);
});

test('a file reserved by another user cannot be changed, and can be read', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/file', 'reserved');
  const [file] = server.state.childrenOf(server.state.home.id);
  if (file?.type !== 'file') assert.fail('no file');
  file.isReserved = true;
  await assert.rejects(write(connector, '/file', 'other'), { kind: 'forbidden' });
  await assert.rejects(async () => connector.remove?.('/file', ask()), { kind: 'forbidden' });
  assert.equal(await textOf(connector, '/file'), 'reserved');
});

test('a file that is too large is reported as such, and one that breaks off leaves no file', async (t) => {
  const { server, connector } = await start(t);
  server.limits.largest = 10;
  await assert.rejects(write(connector, '/file', 'eleven bytes'), { kind: 'full' });
  server.faults.next(api('POST /files/data'), 1, { kind: 'cutUpload', afterBytes: 200 });
  await assert.rejects(write(connector, '/file', 'x'.repeat(10)), { kind: 'interrupted' });
  assert.deepEqual(await namesIn(connector, '/'), []);
});

test('an incomplete download is interrupted, and a busy server is retried later', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/file', 'some bytes');
  server.faults.next(api('GET /files/{fileId}/data'), 1, { kind: 'cut', afterBytes: 4 });
  await assert.rejects(textOf(connector, '/file'), { kind: 'interrupted' });
  server.faults.next(api('GET /folders/items'), 1, { kind: 'rateLimit', retryAfter: 3 });
  await assert.rejects(namesIn(connector, '/'), { kind: 'rateLimited', retryable: true, retryAfter: 3000 });
});

test('a move that fails half-way leaves the item where it was, under its own name', async (t) => {
  const { server, connector } = await start(t);
  await connector.createFolder?.('/target', ask());
  await write(connector, '/file', 'x');
  const refusal = { status: 500, json: { errorCode: '-500', title: 'failed' } };
  server.faults.next(api('POST /files/{fileId}/move'), 1, { kind: 'reply', reply: refusal });
  await assert.rejects(async () => connector.move?.('/file', '/target/renamed', ask()), { kind: 'unreachable' });
  assert.deepEqual(await namesIn(connector, '/'), ['file', 'target']);
  const conflict = { status: 409, json: { errorCode: '-409', title: 'used' } };
  server.faults.next(/PUT .*\/files\//, 1, { kind: 'slow', ms: 0 });
  server.faults.next(/PUT .*\/files\//, 1, { kind: 'reply', reply: conflict });
  await assert.rejects(async () => connector.move?.('/file', '/target/renamed', ask()), { kind: 'alreadyExists' });
  assert.deepEqual(await namesIn(connector, '/'), ['file', 'target']);
  assert.deepEqual(await namesIn(connector, '/target'), []);
});

test('a copy that fails leaves no temporary folder behind, and a folder is not moved into itself', async (t) => {
  const { server, connector } = await start(t);
  await connector.createFolder?.('/folder', ask());
  await write(connector, '/folder/file', 'x');
  server.faults.next(api('POST /files/{fileId}/copy'), 1, { kind: 'reply', reply: { status: 403, json: { errorCode: '-403' } } });
  await assert.rejects(async () => connector.copy?.('/folder/file', '/copy', ask()), { kind: 'forbidden' });
  assert.deepEqual(await namesIn(connector, '/'), ['folder']);
  await assert.rejects(async () => connector.move?.('/folder', '/folder/inside', ask()), { kind: 'unsupported' });
  await assert.rejects(async () => connector.copy?.('/folder', '/folder/inside', ask()), { kind: 'unsupported' });
});

test('a search finds items in shares, and returns their path once for each folder', async (t) => {
  const { server, connector } = await start(t);
  const { state } = server;
  const deep = state.addFolder(state.addFolder(state.home.id, 'one').id, 'two');
  for (let index = 0; index < 20; index++) state.addFolder(deep.id, `zebra ${index}`);
  const found = (await Array.fromAsync(connector.search?.('/', { ...ask(), query: 'zebra' }) ?? [])).flat();
  assert.equal(found.length, 20);
  assert.ok(found.every(({ path }) => path.startsWith('/one/two/zebra ')));
  assert.ok(asked(server, 'GET /folders/{folderId}') <= 4);
});

test('a file that cannot be rendered has no thumbnail', async (t) => {
  const { connector } = await start(t);
  await write(connector, '/plain.txt', 'x');
  await assert.rejects(async () => connector.thumbnail?.('/plain.txt', { ...ask(), size: 200 }), { kind: 'unsupported' });
});

test('an item that another user replaced by one of the same name is found again', async (t) => {
  const { server, connector } = await start(t);
  const { state } = server;
  await connector.createFolder?.('/folder', ask());
  await write(connector, '/folder/file', 'old');
  for (const item of state.items.values()) if (item.name === 'folder') item.isTrashed = true;
  const folder = state.addFolder(state.home.id, 'folder');
  const another = openOracleDocuments(parseOracleConfig({ url: server.url, ...server.user }), testEnv());
  await write(another, '/folder/file', 'new');
  assert.equal(await textOf(connector, '/folder/file'), 'new');
  folder.isTrashed = true;
  await assert.rejects(textOf(connector, '/folder/file'), { kind: 'notFound' });
});
