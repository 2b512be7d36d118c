import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type Dropbox, eventually, startDropbox } from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { collect } from '../../kit/body/body.ts';
import { ask, openAs } from './testing/link.ts';

const mara = 'mara@example.org';
const MiB = 1024 * 1024;

/** Starts a simulator and opens Mara's link; requests outside the API description fail the test at its end. */
async function linked(t: TestContext): Promise<{ readonly simulator: Dropbox; readonly connector: Connector }> {
  const simulator = await startDropbox();
  const connector = await openAs(simulator, mara);
  t.after(async () => {
    await connector.close();
    await simulator.stop();
    simulator.assertClean();
  });
  return { simulator, connector };
}

const put = (connector: Connector, path: string, bytes: string | Uint8Array, ifExists: 'replace' | 'fail' = 'replace') =>
  connector.write?.(path, Readable.from([Buffer.from(bytes)]), { ...ask(), ifExists, size: Buffer.byteLength(bytes) }) ??
  assert.fail('no write');
const get = async (connector: Connector, path: string) => collect(await connector.read(path, ask()));
const asked = ({ requests }: Dropbox, end: string): number => requests.filter(({ path }) => path.endsWith(end)).length;

function fill({ people, contents }: Dropbox, count: number): void {
  const tree = people.all[0]?.tree ?? assert.fail('nobody');
  for (let index = 0; index < count; index += 1) tree.store(['many', `file ${index}`], { content: contents.of('x') }, 'add', true);
}

test('5,000 entries come in three pages, and a token that expires between them is renewed once', async (t) => {
  const { simulator, connector } = await linked(t);
  fill(simulator, 5000);
  const names = new Set<string>();
  for await (const batch of connector.list('/many', ask())) {
    if (names.size === 0) simulator.oauth.expireAll();
    for (const { name } of batch) names.add(name);
  }
  assert.equal(names.size, 5000);
  assert.equal(asked(simulator, '/list_folder') + asked(simulator, '/list_folder/continue'), 4);
  assert.equal(simulator.oauth.refreshes(), 1);
});

test('twenty concurrent requests with an expired token renew it once', async (t) => {
  const { simulator, connector } = await linked(t);
  simulator.oauth.expireAll();
  await Promise.all(Array.from({ length: 20 }, () => connector.stat('/Welcome.txt', ask())));
  assert.equal(simulator.oauth.refreshes(), 1);
});

test('a revoked grant needs authorization', async (t) => {
  const { simulator, connector } = await linked(t);
  simulator.oauth.revokeAccount(mara);
  await assert.rejects(connector.stat('/Welcome.txt', ask()), { kind: 'needsAuthorization' });
});

test('a token without the scope for writing reads, and needs authorization to write', async (t) => {
  const { simulator } = await linked(t);
  const reader = await openAs(simulator, mara, ['account_info.read', 'files.metadata.read', 'files.content.read']);
  t.after(() => reader.close());
  assert.match((await get(reader, '/Welcome.txt')).toString(), /^Hello/);
  await assert.rejects(put(reader, '/new', 'x'), { kind: 'needsAuthorization' });
});

test('too many requests are reported with the requested wait; an upload waits by itself', async (t) => {
  const { simulator, connector } = await linked(t);
  simulator.faults.next('POST /2/files/get_metadata', 1, { kind: 'rateLimit', retryAfter: 7 });
  await assert.rejects(connector.stat('/Welcome.txt', ask()), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
  const fault = simulator.faults.next('POST /2/files/upload', 1, { kind: 'rateLimit', retryAfter: 1 });
  assert.equal((await put(connector, '/patient', 'x')).name, 'patient');
  assert.equal(fault.struck, 1);
});

test('a download with a wrong byte is damaged, an incomplete one is interrupted; a range is returned unchanged', async (t) => {
  const { simulator, connector } = await linked(t);
  await put(connector, '/file', Buffer.alloc(300_000, 'a'));
  simulator.faults.next('GET /2/files/download', 1, { kind: 'corrupt', at: 5 });
  await assert.rejects(get(connector, '/file'), { kind: 'damaged' });
  simulator.faults.next('GET /2/files/download', 1, { kind: 'cut', afterBytes: 100_000 });
  await assert.rejects(get(connector, '/file'), { kind: 'interrupted' });
  const part = await connector.read('/file', { ...ask(), range: { start: 299_990 } });
  assert.equal((await collect(part)).toString(), 'a'.repeat(10));
});

for (const [what, size] of [
  ['in one request', 1000],
  ['in a session', 17 * MiB],
] as const)
  test(`bytes damaged in transit ${what} never take the place of a good file`, async (t) => {
    const { simulator, connector } = await linked(t);
    await put(connector, '/file', 'good');
    simulator.state.damageNext = true;
    await assert.rejects(put(connector, '/file', Buffer.alloc(size, 'b')), { kind: 'damaged' });
    assert.equal((await get(connector, '/file')).toString(), 'good');
  });

test('a session sends parts in parallel, continues after a lost response and an interrupted part, and stores what was sent', async (t) => {
  const { simulator, connector } = await linked(t);
  const append = 'POST /2/files/upload_session/append_v2';
  simulator.faults.next(append, 1, { kind: 'lost' });
  simulator.faults.next(append, 1, { kind: 'cutUpload', afterBytes: MiB });
  const bytes = Buffer.alloc(45 * MiB + 5, 'abcdefg');
  const body = Readable.from([bytes.subarray(0, 3 * MiB), bytes.subarray(3 * MiB)]);
  const entry = await connector.write?.('/big', body, { ...ask(), ifExists: 'fail', size: bytes.length, modified: 1_000_000_000 });
  assert.deepEqual([entry?.size, entry?.modified], [bytes.length, 1_000_000_000]);
  assert.ok((await get(connector, '/big')).equals(bytes));
  assert.ok(simulator.peak() > 1, 'one part after another');
  assert.equal(simulator.sessions(), 0);
  assert.equal(asked(simulator, '/append_v2'), 6 + 2);
});

test('a body of exactly two parts, of known and of unknown length, is stored whole', async (t) => {
  const { connector } = await linked(t);
  const bytes = Buffer.alloc(16 * MiB, 'xyz');
  for (const size of [{ size: bytes.length }, {}]) {
    const entry = await connector.write?.('/exact', Readable.from([bytes]), { ...ask(), ifExists: 'replace', ...size });
    assert.equal(entry?.size, bytes.length);
    assert.ok((await get(connector, '/exact')).equals(bytes));
  }
});

test('lost responses at the end of a session do not lose the file', async (t) => {
  const { simulator, connector } = await linked(t);
  await put(connector, '/file', 'old');
  simulator.faults.next('POST /2/files/upload_session/finish', 1, { kind: 'lost' });
  const bytes = Buffer.alloc(9 * MiB, 'q');
  const once = simulator.faults.next(/append_v2/, 1, { kind: 'slow', ms: 0 });
  simulator.faults.next(/append_v2/, 1, { kind: 'lost' });
  assert.equal((await put(connector, '/file', bytes)).size, bytes.length);
  assert.ok((await get(connector, '/file')).equals(bytes));
  assert.equal(once.struck, 1);
});

test('a session that Dropbox has forgotten is interrupted and leaves the old file', async (t) => {
  const { simulator, connector } = await linked(t);
  await put(connector, '/file', 'old');
  async function* body() {
    yield Buffer.alloc(20 * MiB);
    await eventually(() => simulator.sessions() > 0, 'the session is open');
    simulator.forgetSessions();
    yield Buffer.alloc(20 * MiB);
  }
  const write = connector.write?.('/file', Readable.from(body()), { ...ask(), ifExists: 'replace' });
  await assert.rejects(async () => write, { kind: 'interrupted' });
  assert.equal((await get(connector, '/file')).toString(), 'old');
});

test('of two concurrent writers of one new name, without replacing, one is refused as taken, even with the same bytes', async (t) => {
  const { connector } = await linked(t);
  const results = await Promise.allSettled(['same', 'same'].map((bytes) => put(connector, '/race', bytes, 'fail')));
  const [failure] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as { kind: string }] : []));
  assert.deepEqual([results.filter(({ status }) => status === 'fulfilled').length, failure?.kind], [1, 'alreadyExists']);
});

test('a write that must not replace is not repeated after a lost response', async (t) => {
  const { simulator, connector } = await linked(t);
  simulator.faults.next('POST /2/files/upload', 1, { kind: 'lost' });
  await assert.rejects(put(connector, '/once', 'x', 'fail'), { kind: 'interrupted' });
  assert.equal(asked(simulator, '/files/upload'), 1);
  simulator.faults.next('POST /2/files/upload', 1, { kind: 'lost' });
  assert.equal((await put(connector, '/once', 'y')).size, 1);
});

test('a full account is full', async (t) => {
  const { simulator, connector } = await linked(t);
  simulator.state.quota = 1000;
  await assert.rejects(put(connector, '/file', Buffer.alloc(2000)), { kind: 'full' });
});

test('renaming only in case works, and an item whose second step fails keeps its name', async (t) => {
  const { simulator, connector } = await linked(t);
  assert.equal((await connector.rename?.('/Welcome.txt', 'WELCOME.txt', ask()))?.name, 'WELCOME.txt');
  assert.equal((await connector.stat('/welcome.TXT', ask())).name, 'WELCOME.txt');
  const no = { status: 409, json: { error_summary: 'internal_error/', error: { '.tag': 'internal_error' } } };
  simulator.faults.next('POST /2/files/move_v2', 1, { kind: 'slow', ms: 0 });
  simulator.faults.next('POST /2/files/move_v2', 1, { kind: 'reply', reply: no });
  await assert.rejects(async () => connector.rename?.('/WELCOME.txt', 'welcome.txt', ask()), { kind: 'unreachable' });
  assert.equal((await connector.stat('/welcome.txt', ask())).name, 'WELCOME.txt');
});

test('a path below a file is distinguished from a taken name; a folder is not moved into itself', async (t) => {
  const { connector } = await linked(t);
  await assert.rejects(put(connector, '/Welcome.txt/below', 'x'), { kind: 'notAFolder' });
  await assert.rejects(async () => connector.createFolder?.('/Welcome.txt/below', ask()), { kind: 'notAFolder' });
  await assert.rejects(async () => connector.move?.('/Plans', '/Plans/deeper', ask()), { kind: 'alreadyExists' });
  await assert.rejects(put(connector, '/Thumbs.db', 'x'), { kind: 'badName' });
});

test('a cloud document is listed without a size and read as Dropbox exports it', async (t) => {
  const { connector } = await linked(t);
  const { size } = await connector.stat('/Plans/Ideas.paper', ask());
  assert.equal(size, undefined);
  assert.equal((await get(connector, '/Plans/Ideas.paper')).toString(), '# Ideas\n');
});

test('a file that Dropbox cannot render has no thumbnail', async (t) => {
  const { connector } = await linked(t);
  await assert.rejects(async () => connector.thumbnail?.('/Welcome.txt', { ...ask(), size: 100 }), { kind: 'unsupported' });
});

test('a cursor that is too old returns a new one and reports that changes may be missing', async (t) => {
  const { simulator, connector } = await linked(t);
  const start = await connector.changes?.(undefined, ask());
  simulator.resetNextCursor();
  const after = await connector.changes?.(start?.cursor, ask());
  assert.deepEqual([after?.incomplete, after?.items], [true, []]);
  await put(connector, '/later', 'x');
  const next = await connector.changes?.(after?.cursor, ask());
  assert.deepEqual(
    next?.items.map(({ path }) => path),
    ['/later'],
  );
});

test('a move is reported as a removal at the old path and an addition at the new one, with all content', async (t) => {
  const { connector } = await linked(t);
  const start = await connector.changes?.(undefined, ask());
  await connector.move?.('/Plans', '/Old plans', ask());
  const { items = [] } = (await connector.changes?.(start?.cursor, ask())) ?? {};
  const told = new Map(items.map(({ path, entry }) => [path, entry?.kind]));
  assert.deepEqual(
    [told.get('/Plans'), told.has('/Plans'), told.get('/Old plans'), told.get('/Old plans/2026.md')],
    [undefined, true, 'folder', 'file'],
  );
});

test('a search reads more pages than Dropbox returns at once', async (t) => {
  const { simulator, connector } = await linked(t);
  fill(simulator, 1200);
  const paths = new Set<string>();
  for await (const batch of connector.search?.('/many', { ...ask(), query: 'file' }) ?? []) for (const { path } of batch) paths.add(path);
  assert.equal(paths.size, 1200);
});
