import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Autodesk, startAutodesk } from '@sheaf/testbed';
import { ConnectorError } from '../../core/error.ts';
import { ask, bench, get, listed, made, namesIn, open, put, quay } from './testing/opening.ts';

describe('Autodesk', () => {
  let server: Autodesk;
  before(async () => {
    server = await startAutodesk();
  });
  afterEach(() => {
    server.assertClean();
    server.reset();
  });
  after(() => server.stop());

  test('hubs contain projects, and projects their top folders, by the names that people see', async () => {
    const connector = open(server);
    assert.deepEqual(await namesIn(connector, '/'), ['Harbour Works', 'Sheaf Team']);
    assert.deepEqual(await namesIn(connector, '/Harbour Works'), ['Old lighthouse', 'Quay 7']);
    assert.deepEqual(await namesIn(connector, '/Harbour Works/Quay 7'), ['Plans', 'Project Files']);
    assert.equal((await get(connector, `${quay}/Read me.txt`)).toString(), 'Hello Mara, this is a simulated Autodesk.\n');
    assert.deepEqual(await namesIn(open(server, { email: server.people.otto.email }), '/'), ['Sheaf Team']);
  });

  test('hubs, projects and their top folders cannot be changed', async () => {
    const connector = open(server);
    const forbidden = { kind: 'forbidden' };
    for (const path of ['/new', '/Harbour Works/new', '/Harbour Works/Quay 7/new']) {
      await assert.rejects(made(connector, path), forbidden, path);
      await assert.rejects(put(connector, path, 'x'), forbidden, path);
    }
    for (const path of ['/Harbour Works', '/Harbour Works/Quay 7', quay]) {
      await assert.rejects(async () => connector.remove?.(path, ask()), forbidden, path);
      await assert.rejects(async () => connector.rename?.(path, 'other', ask()), forbidden, path);
      await assert.rejects(async () => connector.copy?.(path, `${quay}/copy`, ask()), forbidden, path);
    }
    assert.deepEqual(
      server.requests.filter(({ method }) => method !== 'GET'),
      [],
    );
  });

  test('5,000 entries come in pages of 200, several at the same time', async () => {
    const connector = open(server);
    const at = await made(connector, `${quay}/crowd`);
    const folder = server.state.visibleIn(server.places.construction.id).find(({ name }) => name === 'crowd') ?? assert.fail('no folder');
    for (let index = 0; index < 5000; index++) server.state.addFile(folder, `entry ${index}`, '');
    server.reset();
    server.faults.next(/contents/, 8, { kind: 'slow', ms: 20 });
    assert.equal((await listed(connector, at)).size, 5000);
    const pages = server.requests.filter(({ operation }) => operation?.endsWith('/contents')).length;
    assert.ok(pages >= 25 && pages <= 25 + 4, `${pages} pages`);
    assert.ok(server.peak() > 1, 'one page after another');
  });

  test('an item that appears on two pages is listed once', async () => {
    const connector = open(server);
    const at = await made(connector, `${bench}/moving`);
    const folder = server.state.visibleIn(server.places.team.id).find(({ name }) => name === 'moving') ?? assert.fail('no folder');
    for (let index = 0; index < 300; index++) server.state.addFile(folder, `entry ${index}`, '');
    const names: string[] = [];
    // Slow enough for the first file to be deleted between two pages.
    const slow = server.faults.next(/contents.*number%5D=1/, 1, { kind: 'slow', ms: 150 });
    const listing = (async () => {
      for await (const batch of connector.list(at, ask())) names.push(...batch.map(({ name }) => name));
    })();
    while (slow.struck === 0) await new Promise(setImmediate);
    server.state.addFile(folder, 'late', '');
    const [first] = server.state.visibleIn(folder.id);
    if (first) server.state.put(first, folder.id);
    await listing;
    assert.equal(new Set(names).size, names.length);
  });

  test('a token that expires between two pages is renewed once, and the listing continues', async () => {
    const connector = open(server);
    const at = await made(connector, `${quay}/long`);
    const folder = server.state.visibleIn(server.places.construction.id).find(({ name }) => name === 'long') ?? assert.fail('no folder');
    for (let index = 0; index < 1000; index++) server.state.addFile(folder, `entry ${index}`, '');
    const before = server.oauth.refreshes();
    const slow = server.faults.next(/contents.*number%5D=0/, 1, { kind: 'slow', ms: 50 });
    const listing = listed(connector, at);
    while (slow.struck === 0) await new Promise(setImmediate);
    server.oauth.expireAll();
    assert.equal((await listing).size, 1000);
    assert.equal(server.oauth.refreshes() - before, 1);
    assert.equal(server.oauth.refusedRefreshes(), 0);
  });

  test('a service that asks to wait is reported with the requested wait', async () => {
    const connector = open(server);
    server.faults.next('GET /project/v1/hubs', 1, { kind: 'rateLimit', retryAfter: 7 });
    await assert.rejects(listed(connector, '/'), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
  });

  test('an item locked by another user is forbidden, one deleted by others is not found, and a recreated one is found again', async () => {
    const connector = open(server);
    const at = await made(connector, `${quay}/others`);
    await put(connector, `${at}/file`, 'x');
    const locked = { status: 423, json: { errors: [{ code: 'LOCKED' }] } };
    server.faults.next('POST /data/v1/projects/{project_id}/versions', 1, { kind: 'reply', reply: locked });
    await assert.rejects(async () => connector.remove?.(`${at}/file`, ask()), { kind: 'forbidden' });
    await open(server).remove?.(`${at}/file`, ask());
    await assert.rejects(async () => connector.rename?.(`${at}/file`, 'new', ask()), { kind: 'notFound' });
    assert.equal((await put(connector, `${at}/file`, 'again')).size, 5);
    assert.equal((await get(open(server), `${at}/file`)).toString(), 'again');
  });

  test('replaced and renamed files keep their older versions, and deleted ones are only hidden', async () => {
    const connector = open(server);
    const at = await made(connector, `${quay}/history`);
    await put(connector, `${at}/a.txt`, 'one');
    await put(connector, `${at}/a.txt`, 'two');
    await connector.rename?.(`${at}/a.txt`, 'b.txt', ask());
    await connector.remove?.(`${at}/b.txt`, ask());
    const node = [...server.state.nodes.values()].find(({ versions }) => versions.length === 4) ?? assert.fail('no history');
    assert.deepEqual(
      node.versions.map(({ name, isDeleted }) => [name, isDeleted]),
      [
        ['a.txt', false],
        ['a.txt', false],
        ['b.txt', false],
        ['b.txt', true],
      ],
    );
    assert.deepEqual(await namesIn(connector, at), []);
  });

  test("a program's model stays a model when it is replaced, renamed, copied and moved", async () => {
    const connector = open(server);
    const at = await made(connector, `${quay}/models`);
    const folder = server.state.visibleIn(server.places.construction.id).find(({ name }) => name === 'models') ?? assert.fail('no folder');
    server.state.addFile(folder, 'quay.rvt', 'model').what = 'C4RModel';
    await put(connector, `${at}/quay.rvt`, 'newer model');
    await connector.rename?.(`${at}/quay.rvt`, 'quay 7.rvt', ask());
    await connector.copy?.(`${at}/quay 7.rvt`, `${at}/copy.rvt`, ask());
    await connector.move?.(`${at}/copy.rvt`, `${quay}/moved.rvt`, ask());
    const models = [...server.state.nodes.values()].filter(({ name, hidden }) => name.endsWith('.rvt') && !hidden);
    assert.deepEqual(models.map(({ name, what }) => `${name} ${what}`).sort(), ['moved.rvt C4RModel', 'quay 7.rvt C4RModel']);
  });

  test('a search at the top skips projects that the user may not access', async () => {
    const connector = open(server);
    const hub = server.state.addHub('b.closed', 'Closed', [server.people.mara.email]);
    server.state.addProject(hub, 'Secret', ['Project Files']);
    const reply = { status: 403, json: { errors: [{ code: 'FORBIDDEN' }] } };
    server.faults.next(/b\.closed.*topFolders/, 2, { kind: 'reply', reply });
    const found = (await Array.fromAsync(connector.search?.('/', { ...ask(), query: 'read me' }) ?? [])).flat();
    assert.deepEqual(
      found.map(({ path }) => path),
      [`${quay}/Read me.txt`],
    );
    await assert.rejects(Array.fromAsync(connector.search?.('/Closed/Secret', { ...ask(), query: 'x' }) ?? []), { kind: 'forbidden' });
    server.state.hubs.delete(hub.id);
  });

  test('files are copied between projects without passing through Sheaf, within a region', async () => {
    const connector = open(server);
    const [from, to] = [await made(connector, `${quay}/outgoing`), await made(connector, `${bench}/incoming`)];
    await put(connector, `${from}/file`, 'travels');
    server.reset();
    await connector.copy?.(`${from}/file`, `${to}/copy`, ask());
    await connector.move?.(`${from}/file`, `${to}/moved`, ask());
    assert.ok(server.requests.every(({ path }) => !path.startsWith('/s3')));
    assert.deepEqual(await namesIn(connector, from), []);
    for (const name of ['copy', 'moved']) assert.equal((await get(connector, `${to}/${name}`)).toString(), 'travels');
    const abroad = connector.copy?.(`${to}/copy`, '/Harbour Works/Old lighthouse/Project Files/copy', ask());
    await assert.rejects(async () => abroad, { kind: 'unsupported' });
    await assert.rejects(async () => connector.move?.(from, `${to}/folder`, ask()), { kind: 'unsupported' });
  });

  test('a folder is neither moved nor copied into itself', async () => {
    const connector = open(server);
    const at = await made(connector, `${quay}/circle`);
    await assert.rejects(async () => connector.move?.(at, `${at}/inside`, ask()), { kind: 'unsupported' });
    await assert.rejects(async () => connector.copy?.(at, `${at}/inside`, ask()), { kind: 'unsupported' });
    assert.deepEqual(await namesIn(connector, at), []);
  });

  test('a copy of a folder that fails half-way leaves no files', async () => {
    const connector = open(server);
    const at = await made(connector, `${quay}/half`);
    await made(connector, `${at}/from`);
    for (const name of ['1', '2', '3']) await put(connector, `${at}/from/${name}`, name);
    server.faults.next('POST /data/v1/projects/{project_id}/items', 1, { kind: 'reply', reply: { status: 500 } });
    await assert.rejects(async () => connector.copy?.(`${at}/from`, `${at}/to`, ask()), { kind: 'unreachable' });
    assert.deepEqual(await namesIn(connector, at), ['from']);
  });

  test('a move whose deletion fails leaves the file where it was, and only there', async () => {
    const connector = open(server);
    const at = await made(connector, `${quay}/undone`);
    const to = await made(connector, `${at}/to`);
    await put(connector, `${at}/file`, 'stays');
    server.faults.next('POST /data/v1/projects/{project_id}/versions', 1, { kind: 'reply', reply: { status: 423 } });
    await assert.rejects(async () => connector.move?.(`${at}/file`, `${to}/file`, ask()), { kind: 'forbidden' });
    assert.deepEqual(await namesIn(connector, to), []);
    assert.equal((await get(open(server), `${at}/file`)).toString(), 'stays');
  });

  test('files of equal names in Fusion Team are distinguished by a mark, and each is reached by its own', async () => {
    const connector = open(server);
    const at = await made(connector, `${bench}/twins`);
    const folder = server.state.visibleIn(server.places.team.id).find(({ name }) => name === 'twins') ?? assert.fail('no folder');
    for (const bytes of ['one', 'three']) server.state.addFile(folder, 'same.txt', bytes);
    const entries = await listed(connector, at);
    assert.equal(entries.size, 2);
    for (const [name, { size }] of entries) {
      assert.match(name, /^same \(~[0-9a-f]{8}\)\.txt$/);
      assert.equal((await get(open(server), `${at}/${name}`)).length, size);
    }
    await assert.rejects(put(connector, `${at}/same.txt`, 'x', { ifExists: 'fail' }), { kind: 'alreadyExists' });
  });

  test('a search ignores case, finds folders too, and returns valid paths', async () => {
    const connector = open(server);
    const at = await made(connector, `${quay}/hunt`);
    await made(connector, `${at}/Heron nests`);
    await put(connector, `${at}/Heron nests/HERON.txt`, 'grey');
    await put(connector, `${at}/a heron.txt`, 'tall');
    const found = (await Array.fromAsync(connector.search?.('/', { ...ask(), query: 'heron' }) ?? [])).flat();
    assert.deepEqual(found.map(({ path }) => path).sort(), [`${at}/Heron nests`, `${at}/Heron nests/HERON.txt`, `${at}/a heron.txt`]);
    for (const { path, entry } of found) assert.deepEqual(await open(server).stat(path, ask()), entry);
  });

  test('a file whose bytes are stored elsewhere is shown and cannot be read', async () => {
    const connector = open(server);
    const node = server.state.newNode('items', server.places.construction.project, server.places.construction.id, 'model.elsewhere');
    server.state.addVersion(node, node.name, undefined);
    assert.equal((await connector.stat(`${quay}/model.elsewhere`, ask())).kind, 'file');
    await assert.rejects(get(connector, `${quay}/model.elsewhere`), { kind: 'unsupported' });
  });

  test('the errors contain no URL and no token', async () => {
    const connector = open(server);
    server.faults.next('GET /project/v1/hubs', 1, { kind: 'reply', reply: { status: 500, text: 'secret text' } });
    const failure = await listed(connector, '/').catch((error: unknown) => error);
    assert.ok(failure instanceof ConnectorError && !failure.message.includes('secret'), String(failure));
  });
});
