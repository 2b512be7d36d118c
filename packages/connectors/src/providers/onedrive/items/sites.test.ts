import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, opening } from '../testing/opening.ts';

test('sites that are followed or found are shown once, two of one name distinguished, others not at all', async (t) => {
  const { names } = await opening(t, 'Sharepoint');
  const [engineering, ...marketing] = await names('/');
  assert.equal(engineering, 'Engineering');
  assert.equal(marketing.length, 2);
  for (const name of marketing) assert.match(name, /^Marketing \(~[0-9a-f]{8}\)$/);
  assert.deepEqual(await names('/Engineering'), ['Documents', 'Drawings']);
  const files = await Promise.all(marketing.map((name) => names(`/${name}/Documents`)));
  assert.deepEqual(files.flat().sort(), ['Old slogans.txt', 'Slogans.txt']);
  await assert.rejects(names('/Marketing'), { kind: 'notFound' });
  await assert.rejects(names('/Board'), { kind: 'notFound' });
});

test('an account that cannot follow sites sees those found by search', async (t) => {
  const { microsoft, names } = await opening(t, 'Sharepoint');
  const refusal = { status: 404, json: { error: { code: 'ResourceNotFound', message: 'no mysite' } } };
  microsoft.faults.next('GET /users/{user-id}/followedSites', 1, { kind: 'reply', reply: refusal });
  assert.equal((await names('/')).length, 2);
});

test('a link that was just opened resolves a path by listing only sites and libraries', async (t) => {
  const { microsoft, get } = await opening(t, 'Sharepoint');
  assert.equal((await get('/Engineering/Drawings/Bridge.txt')).toString(), 'This is Bridge.txt.\n');
  assert.ok(!microsoft.requests.some(({ operation }) => operation?.endsWith('/children')));
});

test('sites and libraries are read-only', async (t) => {
  const { put, connector } = await opening(t, 'Sharepoint');
  const refused = { kind: 'unsupported' };
  await assert.rejects(put('/file', 'x'), refused);
  await assert.rejects(put('/Engineering/file', 'x'), refused);
  for (const path of ['/New', '/Engineering/New']) await assert.rejects(async () => connector.createFolder?.(path, ask()), refused);
  for (const path of ['/', '/Engineering', '/Engineering/Drawings']) {
    await assert.rejects(async () => connector.remove?.(path, ask()), refused);
    await assert.rejects(async () => connector.move?.(path, '/Engineering/Documents/new', ask()), refused);
    assert.equal((await connector.stat(path, ask())).kind, 'folder');
  }
});

test('items are copied between libraries, and not moved', async (t) => {
  const { connector, names, get } = await opening(t, 'Sharepoint');
  const [from, to] = ['/Engineering/Drawings/Bridge.txt', '/Engineering/Documents/Bridge.txt'];
  await assert.rejects(async () => connector.move?.(from, to, ask()), { kind: 'unsupported' });
  await connector.copy?.(from, to, ask());
  await connector.rename?.(to, 'Bridge 2.txt', ask());
  assert.deepEqual(await names('/Engineering/Documents'), ['Bridge 2.txt', 'Roadmap.txt']);
  assert.equal((await get('/Engineering/Documents/Bridge 2.txt')).toString(), 'This is Bridge.txt.\n');
  await assert.rejects(async () => connector.copy?.(from, '/Engineering/Documents/Roadmap.txt', ask()), { kind: 'alreadyExists' });
});

test('a search at the top covers every library, one below a site only its own', async (t) => {
  const { connector } = await opening(t, 'Sharepoint');
  const found = async (folder: string, query: string) => {
    const paths: string[] = [];
    for await (const batch of connector.search?.(folder, { ...ask(), query }) ?? []) paths.push(...batch.map(({ path }) => path));
    return paths.sort();
  };
  assert.equal((await found('/', 'slogans')).length, 2);
  assert.deepEqual(await found('/Engineering', 'txt'), ['/Engineering/Documents/Roadmap.txt', '/Engineering/Drawings/Bridge.txt']);
  assert.deepEqual(await found('/Engineering', 'slogans'), []);
});

test('changes of every library are reported with their paths', async (t) => {
  const { microsoft, connector, put } = await opening(t, 'Sharepoint');
  const start = await connector.changes?.(undefined, ask());
  await put('/Engineering/Documents/New.txt', 'x');
  const drive = microsoft.libraryOf('Engineering', 'Drawings');
  drive.store(drive.addFolder(drive.root, 'Plans'), 'Tunnel.txt', microsoft.world.contents.of('y'), 'fail');
  const { items = [], incomplete } = (await connector.changes?.(start?.cursor, ask())) ?? {};
  assert.deepEqual(items.map(({ path }) => path).sort(), [
    '/Engineering/Documents/New.txt',
    '/Engineering/Drawings/Plans',
    '/Engineering/Drawings/Plans/Tunnel.txt',
  ]);
  assert.equal(incomplete, false);
});

test('a library that writes properties into Office files counts as correct; other files keep their bytes', async (t) => {
  const { connector, put, get } = await opening(t, 'Sharepoint');
  for (const [bytes, how] of [
    [Buffer.alloc(1000, 'a'), 'in one request'],
    [Buffer.alloc(5 * 1024 * 1024, 'b'), 'in a session'],
  ] as const) {
    const entry = await put('/Engineering/Documents/Letter.docx', bytes);
    assert.ok((entry?.size ?? 0) > bytes.length, how);
    assert.ok((await get('/Engineering/Documents/Letter.docx')).subarray(0, bytes.length).equals(bytes), how);
    assert.equal((await put('/Engineering/Documents/Letter.bin', bytes))?.size, bytes.length);
  }
  assert.deepEqual(
    ['Letter.DOCX', 'photo.heic', 'Letter.bin', 'docx', 'a.docx.zip'].map((name) => connector.rewrites?.(name)),
    [true, true, false, false, false],
  );
});
