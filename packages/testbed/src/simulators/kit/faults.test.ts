import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../process.ts';
import { startExample } from './description/example.ts';
import type { Fault } from './index.ts';

async function start(t: TestContext) {
  const example = await startExample();
  t.after(() => example.stop());
  const headers = example.bearer();
  const content = '/files/1/content';
  return {
    ...example,
    headers,
    ask: (path: string, init: RequestInit = {}) => fetch(`${example.url}/api${path}`, { ...init, headers }),
    /** Returns the text of a download with the fault. */
    download: async (fault: Fault) => {
      example.faults.next('GET /files/{id}/content', 1, fault);
      const answer = await fetch(`${example.url}/api${content}`, { headers });
      return { length: Number(answer.headers.get('content-length')), text: await answer.text() };
    },
  };
}

test('the planned requests meet a fault and the ones after them do not', async (t) => {
  const { ask, faults, simulator } = await start(t);
  const plan = faults.next('GET /files/{id}', 2, { kind: 'reply', reply: { status: 503, json: { error: 'busy' } } });
  const statuses = [];
  for (const path of ['/files/1', '/files/recent', '/files/1', '/files/1']) statuses.push((await ask(path)).status);
  assert.deepEqual([statuses, plan.struck], [[503, 200, 503, 200], 2]);
  simulator.assertClean();
});

test('a fault is matched by a pattern over the request, and can be removed', async (t) => {
  const { ask, faults } = await start(t);
  const plan = faults.next(/^GET \/api\/files\?limit=7/, Number.POSITIVE_INFINITY, { kind: 'rateLimit', retryAfter: 3 });
  const limited = await ask('/files?limit=7');
  assert.deepEqual([limited.status, limited.headers.get('retry-after'), await limited.json()], [429, '3', { error: 'rateLimited' }]);
  assert.equal((await ask('/files?limit=8')).status, 200);
  plan.cancel();
  assert.equal((await ask('/files?limit=7')).status, 200);
});

test('a download is cut, spoilt, or of another size than it is', async (t) => {
  const { download, ask } = await start(t);
  await assert.rejects(download({ kind: 'cut', afterBytes: 4 }));
  assert.deepEqual(await download({ kind: 'corrupt', at: 3 }), { length: 10, text: `012${String.fromCharCode(0xfffd)}456789` });
  assert.deepEqual(await download({ kind: 'lieAboutSize', by: -4 }), { length: 6, text: '012345' });
  assert.deepEqual(await download({ kind: 'lieAboutSize', by: 2 }), { length: 12, text: '0123456789**' });
  assert.equal(await (await ask('/files/1/content')).text(), '0123456789');
});

test('an answer hangs before its first byte, or inside its body', async (t) => {
  const { ask, faults } = await start(t);
  faults.next('GET /files/{id}', 1, { kind: 'hang' });
  await assert.rejects(ask('/files/1', { signal: AbortSignal.timeout(150) }), { name: 'TimeoutError' });
  faults.next('GET /files/{id}/content', 1, { kind: 'hang', afterBytes: 4 });
  const timeout = new AbortController();
  const begun = await ask('/files/1/content', { signal: timeout.signal });
  assert.equal(begun.status, 200);
  setTimeout(() => timeout.abort(), 150);
  await assert.rejects(begun.text(), { name: 'AbortError' });
  assert.equal((await ask('/files/1')).status, 200);
});

test('a slow answer comes late', async (t) => {
  const { ask, faults } = await start(t);
  faults.next('GET /files/{id}', 1, { kind: 'slow', ms: 120 });
  const begin = performance.now();
  assert.equal((await ask('/files/1')).status, 200);
  assert.ok(performance.now() - begin > 100);
});

test('a lost answer has done its work', async (t) => {
  const { ask, faults, files, simulator } = await start(t);
  faults.next('DELETE /files/{id}', 1, { kind: 'lost' });
  await assert.rejects(ask('/files/1', { method: 'DELETE' }));
  assert.equal(files.has('1'), false);
  simulator.assertClean();
});

test('an upload is cut and leaves nothing behind', async (t) => {
  const { url, headers, faults, files, simulator } = await start(t);
  faults.next('POST /files', 1, { kind: 'cutUpload', afterBytes: 100_000 });
  const octets = { ...headers, 'content-type': 'application/octet-stream' };
  await assert.rejects(fetch(`${url}/api/files?name=x`, { method: 'POST', body: new Uint8Array(3_000_000), headers: octets }));
  assert.equal(files.size, 1);
  simulator.assertClean();
});

test('a limit refuses what comes too fast, says when to come again, and is off unless set', async (t) => {
  const { ask, simulator } = await start(t);
  const burst = async () =>
    (await Promise.all([1, 2, 3, 4, 5].map(() => ask('/files/1')))).map(({ status }) => status).sort((a, b) => a - b);
  assert.deepEqual(await burst(), [200, 200, 200, 200, 200]);
  simulator.limit({ requests: 3, perMs: 60_000 });
  assert.deepEqual(await burst(), [200, 200, 200, 429, 429]);
  assert.match((await ask('/files/1')).headers.get('retry-after') ?? '', /^(5\d|60)$/);
  simulator.limit({ requests: 3, perMs: 40 });
  await burst();
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal((await ask('/files/1')).status, 200);
  simulator.assertClean();
});

test('the most requests at one time are counted', async (t) => {
  const { ask, simulator, faults } = await start(t);
  const allCame = Promise.withResolvers<void>();
  const plan = faults.next('GET /files/{id}', 3, { kind: 'held', until: allCame.promise });
  const asked = [1, 2, 3].map(() => ask('/files/1'));
  await eventually(() => plan.struck === 3, 'all three have come');
  allCame.resolve();
  await Promise.all(asked);
  await ask('/files/1');
  assert.equal(simulator.peak(), 3);
});
