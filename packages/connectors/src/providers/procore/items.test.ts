import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Procore, startProcore } from '@sheaf/testbed';
import { ask, drawings, get, made, namesIn, open, own, put } from './testing/opening.ts';

const quay = '/Harbour Builders/Quay 7';

describe('Procore', () => {
  let server: Procore;
  before(async () => {
    server = await startProcore();
  });
  afterEach(() => {
    server.assertClean();
    server.reset();
  });
  after(() => server.stop());

  test('companies contain their documents and their projects; the recycle bin is not shown', async () => {
    const connector = open(server);
    assert.deepEqual(await namesIn(connector, '/'), ['Harbour Builders', 'Not Connected Ltd']);
    assert.deepEqual(await namesIn(connector, '/Harbour Builders'), ['Company documents', 'Old lighthouse', 'Quay 7']);
    assert.deepEqual(await namesIn(connector, quay), ['Drawings', 'Photos', 'Read me.txt']);
    assert.equal((await get(connector, `${own}/Handbook.txt`)).toString(), 'Wear a helmet.\n');
    assert.deepEqual(await namesIn(open(server, { email: server.people.otto.email }), '/'), ['Harbour Builders']);
  });

  test('a company that has not installed the application is shown and forbidden', async () => {
    await assert.rejects(namesIn(open(server), '/Not Connected Ltd'), { kind: 'forbidden' });
  });

  test('companies and projects cannot be changed', async () => {
    const connector = open(server);
    const forbidden = { kind: 'forbidden' };
    for (const path of ['/new', '/Harbour Builders/new']) {
      await assert.rejects(made(connector, path), forbidden, path);
      await assert.rejects(put(connector, path, 'x'), forbidden, path);
    }
    for (const path of ['/Harbour Builders', quay, own]) {
      await assert.rejects(async () => connector.remove?.(path, ask()), forbidden, path);
      await assert.rejects(async () => connector.rename?.(path, 'other', ask()), forbidden, path);
    }
    assert.deepEqual(
      server.requests.filter(({ method }) => method !== 'GET'),
      [],
    );
  });

  test('documents are in the first folder of a project too, and can be moved there and away', async () => {
    const connector = open(server);
    await put(connector, `${quay}/loose.txt`, 'loose');
    await connector.move?.(`${quay}/loose.txt`, `${drawings}/tied.txt`, ask());
    await connector.move?.(`${drawings}/tied.txt`, `${quay}/loose again.txt`, ask());
    assert.equal((await get(open(server), `${quay}/loose again.txt`)).toString(), 'loose');
    await connector.remove?.(`${quay}/loose again.txt`, ask());
    assert.deepEqual(await namesIn(connector, quay), ['Drawings', 'Photos', 'Read me.txt']);
  });

  test('5,000 projects come in pages, several at the same time, two of one name distinguished', async () => {
    const company = server.state.addCompany('Crowded', [server.people.mara.email]);
    for (let index = 0; index < 4999; index++) server.state.addProject(company, `project ${index}`);
    // A project may have the name under which the company's documents are shown.
    server.state.addProject(company, 'Company documents');
    const connector = open(server);
    await namesIn(connector, '/');
    server.reset();
    server.faults.next('GET /rest/v1.1/projects', 10, { kind: 'slow', ms: 20 });
    const names = await namesIn(connector, '/Crowded');
    assert.equal(new Set(names).size, 5001);
    assert.equal(names.filter((name) => /^Company documents \(~[0-9a-f]{8}\)$/.test(name)).length, 2);
    assert.equal(server.requests.filter(({ operation }) => operation === 'GET /rest/v1.1/projects').length, 10);
    assert.ok(server.peak() > 1, 'one page after another');
    server.state.companies.delete(company.id);
  });

  test('a folder of 5,000 files arrives in one response', async () => {
    const connector = open(server);
    const at = await made(connector, `${drawings}/crowd`);
    const folder = [...server.state.nodes.values()].find(({ name }) => name === 'crowd') ?? assert.fail('no folder');
    for (let index = 0; index < 5000; index++) server.state.addFile(folder, `entry ${index}`, '');
    server.reset();
    assert.equal((await namesIn(connector, at)).length, 5000);
    assert.equal(server.requests.length, 1);
  });

  test('a token that expires between two pages is renewed once, and the listing continues', async () => {
    const company = server.state.addCompany('Long', [server.people.mara.email]);
    for (let index = 0; index < 100; index++) server.state.addProject(company, `project ${index}`);
    const connector = open(server, { pageSize: 10 });
    await namesIn(connector, '/');
    const before = server.oauth.refreshes();
    const slow = server.faults.next(/projects.*[?&]page=1&/, 1, { kind: 'slow', ms: 50 });
    const listing = namesIn(connector, '/Long');
    while (slow.struck === 0) await new Promise(setImmediate);
    server.oauth.expireAll();
    assert.equal((await listing).length, 101);
    assert.equal(server.oauth.refreshes() - before, 1);
    assert.equal(server.oauth.refusedRefreshes(), 0);
    server.state.companies.delete(company.id);
  });

  test('a rate limit is reported with the time until Procore lifts it', async () => {
    const connector = open(server);
    const reset = Math.ceil(Date.now() / 1000) + 30;
    const reply = {
      status: 429,
      json: { errors: 'too many' },
      headers: { 'x-rate-limit-reset': String(reset), 'x-rate-limit-remaining': '0' },
    };
    server.faults.next('GET /rest/v1.0/companies', 1, { kind: 'reply', reply });
    const limited = await namesIn(connector, '/').catch((error: unknown) => error as { kind?: string; retryAfter?: number });
    assert.ok('kind' in limited && limited.kind === 'rateLimited');
    assert.ok((limited.retryAfter ?? 0) > 28_000 && (limited.retryAfter ?? 0) <= 31_000, `${limited.retryAfter} ms`);
    server.faults.next('GET /rest/v1.0/companies', 1, { kind: 'rateLimit', retryAfter: 7 });
    await assert.rejects(namesIn(connector, '/'), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
  });

  test('a file that another user has checked out is forbidden; one deleted by others is not found, and can be created again', async () => {
    const connector = open(server);
    const at = await made(connector, `${drawings}/others`);
    await put(connector, `${at}/file`, 'x');
    const checkedOut = { status: 409, json: { error_type: 'checked_out', errors: { base: ['checked out'] } } };
    server.faults.next('PATCH /rest/v1.0/files/{id}', 1, { kind: 'reply', reply: checkedOut });
    await assert.rejects(async () => connector.rename?.(`${at}/file`, 'new', ask()), { kind: 'forbidden' });
    await open(server).remove?.(`${at}/file`, ask());
    assert.equal((await put(connector, `${at}/file`, 'again')).size, 5);
    assert.equal((await get(open(server), `${at}/file`)).toString(), 'again');
  });

  test('a name that Procore rejects is badName, one that others have just taken alreadyExists', async () => {
    const connector = open(server);
    const at = await made(connector, `${drawings}/names`);
    await assert.rejects(made(connector, `${at}/${'x'.repeat(256)}`), { kind: 'badName' });
    await assert.rejects(put(connector, `${at}/a⧸b`, 'x'), { kind: 'badName' });
    await namesIn(connector, at);
    await made(open(server), `${at}/taken`);
    await assert.rejects(made(connector, `${at}/taken`), { kind: 'alreadyExists' });
  });

  test('a name that Procore changes is reported as changed', async () => {
    const connector = open(server);
    const at = await made(connector, `${drawings}/changed`);
    server.trimNames(true);
    assert.equal((await put(connector, `${at}/ padded `, 'x')).name, 'padded');
    assert.equal((await connector.createFolder?.(`${at}/folder `, ask()))?.name, 'folder');
    assert.equal((await connector.rename?.(`${at}/padded`, ' new', ask()))?.name, 'new');
    server.trimNames(false);
    assert.deepEqual(await namesIn(connector, at), ['folder', 'new']);
    assert.equal((await get(connector, `${at}/new`)).toString(), 'x');
  });

  test('replaced files keep their older versions, and deleted ones are in the recycle bin', async () => {
    const connector = open(server);
    const at = await made(connector, `${drawings}/history`);
    for (const bytes of ['one', 'three']) await put(connector, `${at}/a.txt`, bytes);
    const node = [...server.state.nodes.values()].find(({ name }) => name === 'a.txt') ?? assert.fail('no file');
    assert.deepEqual(
      node.versions.map(({ content }) => content.size),
      [3, 5],
    );
    await connector.remove?.(at, ask());
    assert.ok(node.isDeleted);
    await assert.rejects(open(server).stat(`${at}/a.txt`, ask()), { kind: 'notFound' });
    await assert.rejects(get(connector, `${at}/a.txt`), { kind: 'notFound' });
  });

  test('documents stay in their project, and a folder is not moved into itself', async () => {
    const connector = open(server);
    const at = await made(connector, `${drawings}/rooted`);
    await assert.rejects(async () => connector.move?.(at, `${own}/rooted`, ask()), { kind: 'unsupported' });
    await assert.rejects(async () => connector.move?.(at, '/Harbour Builders/Old lighthouse/rooted', ask()), { kind: 'unsupported' });
    await assert.rejects(async () => connector.move?.(at, `${at}/inside`, ask()), { kind: 'unsupported' });
    assert.deepEqual(await namesIn(connector, at), []);
  });

  test('a search at the top covers each project, and returns valid paths', async () => {
    const connector = open(server, { pageSize: 2 });
    // Mara may not open a company that has not installed the application.
    const at = await made(connector, `${drawings}/Heron nests`);
    for (const name of ['heron 1.txt', 'heron 2.txt', 'HERON 3.txt', 'stork.txt']) await put(connector, `${at}/${name}`, name);
    await put(connector, `${own}/heron handbook.txt`, 'grey');
    const found = (await Array.fromAsync(connector.search?.('/', { ...ask(), query: 'heron' }) ?? [])).flat();
    assert.deepEqual(
      found.map(({ path }) => path).sort(),
      [`${own}/heron handbook.txt`, at, `${at}/HERON 3.txt`, `${at}/heron 1.txt`, `${at}/heron 2.txt`].sort(),
    );
    for (const { path, entry } of found) assert.deepEqual(await open(server).stat(path, ask()), entry);
  });
});
