import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type Connector, ConnectorError, type Entry } from '@sheaf/connectors';
import { conformance } from '@sheaf/connectors/conformance';
import { createMemorySource } from '@sheaf/connectors/memory';
import { scoped } from './scoped.ts';

const refuse = () => Promise.reject(new ConnectorError('unreachable', 'memory needs no network'));
const env = { dialer: { connect: refuse, upgrade: refuse }, remember: async () => undefined, recall: async () => undefined };
const mapError = (error: unknown): unknown => error;
const ask = { signal: AbortSignal.timeout(60_000) };

async function open(folder: string, change: (inner: Connector) => Partial<Connector> = () => ({})) {
  const source = createMemorySource();
  source.put('/team/plan.txt', 'plan');
  source.put('/team/sub/deep.txt', 'deep');
  source.put('/team2/other.txt', 'other');
  source.put('/secret.txt', 'secret');
  const inner = await source.definition.open({}, env);
  const changed: Connector = { ...inner, ...change(inner) };
  return { source, inner, connector: scoped(changed, { folder, canWrite: true, mapError }) };
}

for (const [title, folder] of [
  ['a folder of a memory source', '/team'],
  ['all of a memory source', '/'],
] as const) {
  const opened = open(folder);
  const reopen = async () => {
    const { inner } = await opened;
    return scoped(inner, { folder, canWrite: true, mapError });
  };
  const resumes = { reopen, partSize: 1024 * 1024 };
  conformance(title, async () => (await opened).connector, { keepsModified: true, hashes: ['sha256'], resumes, numbered: true });
}

const names = async (connector: Connector, path: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const batch of connector.list(path, ask)) found.push(...batch.map(({ name }) => name));
  return found;
};

test('names that lead upwards are refused, also between backslashes', async () => {
  const { connector, inner } = await open('/team');
  for (const path of [
    '/../secret.txt',
    '/..',
    '/sub/../../secret.txt',
    '/.',
    '/sub/./deep.txt',
    '/..\\secret.txt',
    '/sub\\..\\..\\secret.txt',
    '//secret.txt',
  ]) {
    await assert.rejects(connector.stat(path, ask), { messageCode: 'ITEM_NOT_FOUND' }, path);
    await assert.rejects(connector.read(path, ask), { messageCode: 'ITEM_NOT_FOUND' }, path);
    await assert.rejects(names(connector, path), { messageCode: 'ITEM_NOT_FOUND' }, path);
    const body = Readable.from([Buffer.from('x')]);
    await assert.rejects(
      connector.write?.(path, body, { ...ask, ifExists: 'replace' }) ?? refuse(),
      { messageCode: 'ITEM_NOT_FOUND' },
      path,
    );
    assert.ok(body.destroyed);
    await assert.rejects(connector.createFolder?.(path, ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' }, path);
    await assert.rejects(connector.remove?.(path, ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' }, path);
    for (const operation of ['move', 'copy'] as const)
      await assert.rejects(connector[operation]?.('/plan.txt', path, ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' }, path);
  }
  for (const newName of ['..', '.', 'a/b', '../x', '..\\x', ''])
    await assert.rejects(connector.rename?.('/plan.txt', newName, ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' }, newName);
  assert.deepEqual(await names(inner, '/'), ['team', 'team2', 'secret.txt']);
  assert.deepEqual(await names(inner, '/team'), ['plan.txt', 'sub']);
});

test('nobody in a scoped folder renames, moves, copies or deletes the folder itself', async () => {
  for (const folder of ['/team', '/']) {
    const { connector, inner } = await open(folder);
    await assert.rejects(connector.rename?.('/', 'mine', ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' });
    await assert.rejects(connector.move?.('/', '/sub/team', ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' });
    await assert.rejects(connector.copy?.('/', '/sub/team', ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' });
    await assert.rejects(connector.remove?.('/', ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' });
    assert.deepEqual(await names(inner, '/team'), ['plan.txt', 'sub']);
  }
});

test('the longest path counts from the root of the link, not from the folder that a member sees', async () => {
  const { inner } = await open('/team');
  const limited: Connector = { ...inner, limits: { names: { pathLength: { most: 100, unit: 'bytes' } }, fileBytes: 7 } };
  const limits = scoped(limited, { folder: '/team', canWrite: true, mapError }).limits;
  assert.deepEqual(limits, { names: { pathLength: { most: 95, unit: 'bytes' } }, fileBytes: 7 });
});

test('a scope without write access lacks everything that changes anything, and every scope lacks what describes the whole account', async () => {
  const { inner } = await open('/team');
  const everything: Connector = {
    ...inner,
    usage: async () => ({ used: 1 }),
    changes: async () => ({ cursor: '', items: [], incomplete: false }),
  };
  const able = (canWrite: boolean) =>
    Object.keys(scoped(everything, { folder: '/team', canWrite, mapError }))
      .filter((member) => !['close', 'hashes', 'limits'].includes(member))
      .toSorted();
  assert.deepEqual(able(false), ['list', 'read', 'stat']);
  const uploads = ['beginUpload', 'sendPart', 'uploadState', 'finishUpload', 'abandonUpload'];
  const numbered = ['beginNumbered', 'sendNumbered', 'finishNumbered', 'abandonNumbered'];
  const changes = ['copy', 'createFolder', 'move', 'remove', 'rename', 'write', ...uploads, ...numbered];
  assert.deepEqual(able(true), ['list', 'read', 'stat', ...changes].toSorted());
});

test('earlier versions of a shared file are not listed, while a member still undoes what they replaced', async () => {
  const versions = {
    versionOf: async () => '2',
    restoreVersion: async () => assert.fail('not asked for'),
    listVersions: async () => [{ id: '1' }],
    readVersion: async () => assert.fail('not asked for'),
  };
  const { connector } = await open('/team', () => versions);
  assert.equal(connector.listVersions, undefined);
  assert.equal(connector.readVersion, undefined);
  assert.equal(await connector.versionOf?.('/plan.txt', ask), '2');
});

test('symbolic links of the source count as missing, wherever they are', async () => {
  const link = (name: string): Entry => ({ name, kind: 'folder', isLink: true });
  const { connector } = await open('/team', (inner) => ({
    async *list(path, given) {
      for await (const batch of inner.list(path, given)) yield path === '/team' ? [...batch, link('out')] : batch;
    },
    // The symbolic link leads to the items outside the folder.
    stat: (path, given) => inner.stat(path.replace('/team/out', ''), given),
    read: (path, given) => inner.read(path.replace('/team/out', ''), given),
    lstat: async (path, given) => (path === '/team/out' ? link('out') : inner.stat(path.replace('/team/out', ''), given)),
  }));
  assert.deepEqual(await names(connector, '/'), ['plan.txt', 'sub']);
  for (const path of ['/out', '/out/secret.txt', '/out/team2/other.txt']) {
    await assert.rejects(connector.stat(path, ask), { messageCode: 'ITEM_NOT_FOUND' }, path);
    await assert.rejects(connector.read(path, ask), { messageCode: 'ITEM_NOT_FOUND' }, path);
    await assert.rejects(names(connector, path), { messageCode: 'ITEM_NOT_FOUND' }, path);
    await assert.rejects(connector.remove?.(path, ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' }, path);
  }
  await assert.rejects(connector.lstat?.('/out/secret.txt', ask) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' });
  const body = Readable.from([Buffer.from('x')]);
  await assert.rejects(connector.write?.('/out/new.txt', body, { ...ask, ifExists: 'fail' }) ?? refuse(), {
    messageCode: 'ITEM_NOT_FOUND',
  });
  const through = Readable.from([Buffer.from('x')]);
  await assert.rejects(connector.write?.('/out', through, { ...ask, ifExists: 'replace' }) ?? refuse(), { messageCode: 'ITEM_NOT_FOUND' });
  assert.equal((await connector.stat('/sub/deep.txt', ask)).size, 4);
});

test('search results outside the folder are dropped', async () => {
  const entry: Entry = { name: 'x', kind: 'file' };
  const { connector } = await open('/team', () => ({
    async *search() {
      yield [
        { path: '/team/sub/x', entry },
        { path: '/team2/x', entry },
        { path: '/x', entry },
        { path: '/team', entry },
        { path: '/team/out', entry: { ...entry, isLink: true } },
      ];
    },
  }));
  const found: string[] = [];
  for await (const batch of connector.search?.('/', { ...ask, query: 'x' }) ?? []) found.push(...batch.map(({ path }) => path));
  assert.deepEqual(found, ['/sub/x']);
});

test('the check of a long path ends near its first missing step, and takes time in proportion to its length', async () => {
  let looks = 0;
  const { connector } = await open('/team', ({ lstat, stat }) => ({
    async lstat(path, options) {
      looks++;
      return (lstat ?? stat)(path, options);
    },
  }));
  const longest = '/a'.repeat(16_000);
  for (const missing of [longest, `/sub${longest}`]) {
    looks = 0;
    await assert.rejects(connector.stat(missing, ask));
    assert.ok(looks <= 8, `${looks} looks`);
  }
});

test('every step of a path that exists is checked, however deep', async () => {
  const deep = Array.from({ length: 20 }, (_, at) => `/d${at}`).join('');
  const { source, connector } = await open('/team', (inner) => ({
    async lstat(path, options) {
      const entry = await inner.stat(path, options);
      return path.endsWith('/d13') ? { ...entry, isLink: true } : entry;
    },
  }));
  source.put(`/team${deep}/file.txt`, 'deep');
  await assert.rejects(connector.stat(`${deep}/file.txt`, ask), { messageCode: 'ITEM_NOT_FOUND' });
  assert.equal((await connector.stat(deep.slice(0, deep.indexOf('/d13')), ask)).kind, 'folder');
});
