import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startExample } from './description/example.ts';

async function start(t: TestContext, answerOfBroken?: unknown) {
  const example = await startExample(answerOfBroken);
  t.after(() => example.stop());
  const headers = example.bearer();
  return {
    ...example,
    /** Requests the API as an account with all scopes. */
    ask: (path: string, init: RequestInit = {}) =>
      fetch(`${example.url}/api${path}`, { ...init, headers: { ...headers, ...init.headers } }),
  };
}

const sendJson = (method: string, value: unknown): RequestInit => ({
  method,
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});

test('a request and an answer as described pass without a word', async (t) => {
  const { ask, simulator } = await start(t);
  const list = await ask('/files?limit=10&fields=name,size&quotaUser=x', { headers: { 'x-arg': '{"path":"/"}' } });
  assert.equal(list.status, 200);
  assert.equal(((await list.json()) as readonly unknown[]).length, 1);
  assert.equal((await ask('/files', sendJson('POST', { name: 'b', parent: { id: '0' }, labels: { any: 1 } }))).status, 201);
  assert.equal((await ask('/files/2', { method: 'DELETE' })).status, 204);
  assert.equal((await ask('/files/2')).status, 404);
  simulator.assertClean();
  assert.deepEqual(simulator.requests.at(-1), { method: 'GET', path: '/api/files/2', operation: 'GET /files/{id}', status: 404 });
});

const badRequests: readonly (readonly [string, string, RequestInit, number, RegExp])[] = [
  ['an unknown path', '/nothing', {}, 404, /GET \/api\/nothing: the operation is not described/],
  ['an unknown method', '/files/1', { method: 'PATCH' }, 404, /the method is not described/],
  ['a host that the provider does not have', '/../elsewhere', {}, 404, /no host of the provider/],
  ['a path that is no UTF-8', '/files/%ff', {}, 400, /not UTF-8/],
  ['an unknown query parameter', '/files?limit=1&colour=red', {}, 400, /query parameter colour is not described/],
  ['a missing query parameter', '/files', {}, 400, /query parameter limit is missing/],
  ['a query parameter of the wrong type', '/files?limit=many', {}, 400, /query parameter limit: it must be integer/],
  ['a query parameter beyond its bounds', '/files?limit=101', {}, 400, /query parameter limit: it must be <= 100/],
  ['a query parameter given twice', '/files?limit=1&limit=2', {}, 400, /limit: is given more than once/],
  ['a list given twice where commas part it', '/files?limit=1&fields=name&fields=size', {}, 400, /fields: is given more than once/],
  ['a list with a member that is not allowed', '/files?limit=1&fields=name,colour', {}, 400, /query parameter fields/],
  ['a header that is not the JSON described', '/files?limit=1', { headers: { 'x-arg': '{}' } }, 400, /header parameter X-Arg: .*path/],
  ['a body where none is described', '/files/1', { method: 'DELETE', body: 'x' }, 400, /a body is not described/],
  ['a missing body', '/files', { method: 'POST' }, 400, /the body is missing/],
  [
    'a body of another type',
    '/files',
    { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } },
    400,
    /content type text\/xml/,
  ],
  ['a body that is not JSON', '/files', { ...sendJson('POST', 1), body: '{' }, 400, /the body is not JSON/],
  ['a missing field', '/files', sendJson('POST', {}), 400, /must have required property 'name'/],
  ['a field of the wrong type', '/files', sendJson('POST', { name: 1 }), 400, /name must be string/],
  ['a field that nobody described', '/files', sendJson('POST', { name: 'a', colour: 1 }), 400, /must not have colour/],
  [
    'a nested field that nobody described',
    '/files',
    sendJson('POST', { name: 'a', parent: { path: '/' } }),
    400,
    /parent must not have path/,
  ],
  ['a body that fits none of the operations of one path', '/files/1', sendJson('PUT', { colour: 1 }), 400, /PUT/],
  ['an operation that is described and not simulated', '/missing', {}, 501, /does not have this operation/],
];

for (const [what, path, init, status, violation] of badRequests)
  test(`${what} is refused and recorded`, async (t) => {
    const { ask, simulator } = await start(t);
    const answer = await ask(path, init);
    assert.equal(answer.status, status);
    assert.equal(typeof ((await answer.json()) as { error: unknown }).error, 'string');
    assert.equal(simulator.violations.length, 1);
    assert.match(simulator.violations[0] ?? '', violation);
    assert.throws(() => simulator.assertClean(), violation);
  });

const badAnswers: readonly (readonly [string, unknown, RegExp])[] = [
  ['lacks a field', { id: '1', name: 'a' }, /must have required property 'size'/],
  ['has a field of the wrong type', { id: '1', name: 'a', size: '1' }, /size must be integer/],
  ['is null where an object is described', null, /it must be object/],
];

for (const [what, answer, violation] of badAnswers)
  test(`an answer that ${what} is a fault of the simulator`, async (t) => {
    const { ask, simulator } = await start(t, answer);
    assert.equal((await ask('/broken')).status, 500);
    assert.match(simulator.violations.join('\n'), violation);
  });

test('an answer may hold more than is described, and null where null is allowed', async (t) => {
  const { ask, simulator } = await start(t, { id: '1', name: 'a', size: 1, owner: null, more: true });
  assert.equal((await ask('/broken')).status, 200);
  simulator.assertClean();
});

test('the most literal path wins, and a name in a path may hold slashes and percent signs', async (t) => {
  const { ask, simulator, files, contents, url } = await start(t);
  files.set('recent', { id: 'recent', name: 'never', content: contents.of('') });
  assert.equal(((await (await ask('/files/recent')).json()) as { name: string }).name, 'a.txt');
  files.set('a/b 100%', { id: '9', name: 'odd', content: contents.of('odd') });
  assert.equal(((await (await ask(`/files/${encodeURIComponent('a/b 100%')}`)).json()) as { name: string }).name, 'odd');
  assert.equal(await (await fetch(`${url}/api/raw/folder/with%2Fslash/x%25.txt`)).text(), 'folder/with/slash/x%.txt');
  simulator.assertClean();
});

test('an address by path is rewritten to one that the description has', async (t) => {
  const { ask, simulator, files, contents } = await start(t);
  files.set('path=b.txt', { id: '5', name: 'b.txt', content: contents.of('by path') });
  assert.equal(await (await ask('/files/root:/b.txt:/content')).text(), 'by path');
  simulator.assertClean();
});

test('operations that share a path take what fits one of them', async (t) => {
  const { ask, simulator } = await start(t);
  assert.equal((await ask('/files/1', sendJson('PUT', { name: 'new' }))).status, 200);
  assert.equal((await ask('/files/1', sendJson('PUT', { shared: true }))).status, 200);
  simulator.assertClean();
  assert.equal((await ask('/files/1', sendJson('PUT', { name: 'new', shared: true }))).status, 400);
});

test('a route that is not described does not start', async () => {
  const { startSimulator } = await import('./index.ts');
  const mount = { at: '/api', description: { paths: {} }, routes: { 'GET /files': () => ({}) } };
  await assert.rejects(startSimulator({ name: 'wrong', mounts: [mount], refusal: () => ({}) }), /\/api has no operation GET \/files/);
});

test('a handler that fails is a violation, and its words are in it', async (t) => {
  const { ask, simulator, files } = await start(t);
  files.set('bad', { id: 'bad', name: 'bad', content: { size: 1, hashes: { md5: '' }, open: () => assert.fail('nothing there') } });
  assert.equal((await ask('/files/bad/content')).status, 500);
  assert.match(simulator.violations.join(), /the simulator failed: nothing there/);
  simulator.reset();
  simulator.assertClean();
});
