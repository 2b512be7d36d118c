import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type Box, eventually, startBox } from '@sheaf/testbed';
import type { Connector } from '../../core/connector.ts';
import { collect } from '../../kit/body/body.ts';
import { ask, openMara } from './testing/link.ts';

const MiB = 1024 * 1024;

/** Starts a simulator and opens Mara's link; requests outside the API description fail the test at its end. */
async function linked(t: TestContext): Promise<{ readonly simulator: Box; readonly connector: Connector }> {
  const simulator = await startBox();
  const connector = await openMara(simulator);
  t.after(async () => {
    await connector.close();
    await simulator.stop();
    simulator.assertClean();
  });
  return { simulator, connector };
}

const mara = ({ of, accounts }: Box) => of(accounts[0]?.id ?? '');
const put = (connector: Connector, path: string, bytes: string | Uint8Array, ifExists: 'replace' | 'fail' = 'replace') =>
  connector.write?.(path, Readable.from([Buffer.from(bytes)]), { ...ask(), ifExists, size: Buffer.byteLength(bytes) }) ??
  assert.fail('no write');
const putUnknown = (connector: Connector, path: string, body: Readable, ifExists: 'replace' | 'fail' = 'replace') =>
  connector.write?.(path, body, { ...ask(), ifExists }) ?? assert.fail('no write');
const get = async (connector: Connector, path: string) => collect(await connector.read(path, ask()));
const names = async (connector: Connector, path: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(path, ask())))
    .flat()
    .map(({ name }) => name)
    .sort();

/** Creates files in a folder at Box. */
function fill(simulator: Box, count: number) {
  const state = mara(simulator);
  const folder = state.makeFolder('0', 'many');
  const content = simulator.contents.of('x');
  const files = Array.from({ length: count }, (_, index) => state.addFile(folder.id, `file ${index}`, content));
  return { state, folder, files };
}

const asked = ({ requests }: Box, end: string): number => requests.filter(({ path }) => path.endsWith(end)).length;

test('the account reports its maximum file size', async (t) => {
  const { connector } = await linked(t);
  assert.equal((await connector.usage?.(ask()))?.fileBytes, 5 * 1024 ** 3);
});

for (const [what, count, pages, isParallel] of [
  ['5,000 entries come in five pages, several at once', 5000, 5, true],
  ['11,500 entries, more than offsets reach, come by marker', 11_500, 1 + 12, false],
] as const)
  test(what, async (t) => {
    const { simulator, connector } = await linked(t);
    fill(simulator, count);
    await connector.stat('/many', ask());
    simulator.faults.next('GET /folders/{folder_id}/items', pages, { kind: 'slow', ms: 30 });
    const found = await names(connector, '/many');
    assert.deepEqual([found.length, new Set(found).size, asked(simulator, '/items')], [count, count, pages]);
    assert.equal(simulator.peak() > 1, isParallel);
  });

test('a token that expires in the middle of a listing is renewed, and no entry is missing', async (t) => {
  const { simulator, connector } = await linked(t);
  fill(simulator, 3000);
  let count = 0;
  for await (const batch of connector.list('/many', ask())) {
    if (count === 0) simulator.oauth.expireAll();
    count += batch.length;
  }
  assert.equal(count, 3000);
});

test('a folder that shrinks while it is listed returns every remaining entry, once', async (t) => {
  const { simulator, connector } = await linked(t);
  const { state, files } = fill(simulator, 3000);
  await connector.stat('/many', ask());
  simulator.faults.next(/offset=[12]000/, 2, { kind: 'slow', ms: 150 });
  const found: string[] = [];
  for await (const batch of connector.list('/many', ask())) {
    if (found.length === 0) for (const file of files.slice(0, 20)) state.trash(file);
    found.push(...batch.map(({ name }) => name));
  }
  assert.equal(new Set(found).size, found.length);
  const missing = files.slice(20).filter(({ name }) => !found.includes(name));
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  );
});

test('too many requests are reported with the requested wait; an upload waits by itself', async (t) => {
  const { simulator, connector } = await linked(t);
  await connector.stat('/Work', ask());
  simulator.faults.next('GET /folders/{folder_id}/items', 1, { kind: 'rateLimit', retryAfter: 7 });
  await assert.rejects(names(connector, '/Work'), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
  const fault = simulator.faults.next('POST /files/content', 1, { kind: 'rateLimit', retryAfter: 1 });
  assert.equal((await put(connector, '/patient', 'x')).name, 'patient');
  assert.equal(fault.struck, 1);
});

test('a download that Box is still preparing is retried', async (t) => {
  const { simulator, connector } = await linked(t);
  simulator.downloads.preparing = 1;
  assert.match((await get(connector, '/Welcome.txt')).toString(), /^Hello/);
});

test('a download with a wrong byte is damaged; an incomplete one, or one of a file replaced in the meantime, is interrupted', async (t) => {
  const { simulator, connector } = await linked(t);
  const at = 'GET /d/1/{ticket}/download';
  await put(connector, '/file', Buffer.alloc(300_000, 'a'));
  simulator.downloadHost.faults.next(at, 1, { kind: 'corrupt', at: 5 });
  await assert.rejects(get(connector, '/file'), { kind: 'damaged' });
  simulator.downloadHost.faults.next(at, 1, { kind: 'cut', afterBytes: 100_000 });
  await assert.rejects(get(connector, '/file'), { kind: 'interrupted' });
  simulator.downloadHost.faults.next(at, 1, { kind: 'corrupt', at: 5 });
  const body = await connector.read('/file', ask());
  const state = mara(simulator);
  const file = state.occupant('0', 'file');
  if (file?.type === 'file') state.addVersion(file, simulator.contents.of('newer'));
  await assert.rejects(collect(body), { kind: 'interrupted', retryable: true });
});

for (const [what, size] of [
  ['in one request', 1000],
  ['in a session', 21 * MiB],
] as const)
  test(`bytes damaged in transit ${what} never take the place of a good file, and nothing is left`, async (t) => {
    const { simulator, connector } = await linked(t);
    await put(connector, '/file', 'good');
    simulator.limits.damageNext = true;
    await assert.rejects(put(connector, '/file', Buffer.alloc(size, 'b')), { kind: 'damaged' });
    assert.equal((await get(connector, '/file')).toString(), 'good');
    assert.equal(simulator.sessions(), 0);
  });

test('a session continues after a lost response and an interrupted part, waits for Box, and keeps the time', async (t) => {
  const { simulator, connector } = await linked(t);
  const part = 'PUT /files/upload_sessions/{upload_session_id}';
  simulator.faults.next(part, 1, { kind: 'lost' });
  simulator.faults.next(part, 1, { kind: 'cutUpload', afterBytes: MiB });
  const bytes = Buffer.alloc(33 * MiB + 5, 'abcdefg');
  for (const ifExists of ['fail', 'replace'] as const) {
    const entry = await connector.write?.('/big', Readable.from([bytes]), {
      ...ask(),
      ifExists,
      size: bytes.length,
      modified: 1_000_000_000,
    });
    assert.deepEqual([entry?.size, entry?.modified], [bytes.length, 1_000_000_000]);
  }
  assert.ok((await get(connector, '/big')).equals(bytes));
  assert.equal(simulator.sessions(), 0);
  assert.ok(simulator.peak() > 1, 'one part after another');
});

test('a commit whose response is lost does not lose the file', async (t) => {
  const { simulator, connector } = await linked(t);
  const commit = 'POST /files/upload_sessions/{upload_session_id}/commit';
  await put(connector, '/big', 'old');
  simulator.faults.next(commit, 1, { kind: 'slow', ms: 0 });
  simulator.faults.next(commit, 1, { kind: 'lost' });
  const bytes = Buffer.alloc(21 * MiB, 'q');
  assert.equal((await put(connector, '/big', bytes)).size, bytes.length);
  assert.ok((await get(connector, '/big')).equals(bytes));
});

test('a cancelled upload frees its session', async (t) => {
  const { simulator, connector } = await linked(t);
  const given = new AbortController();
  async function* body() {
    yield Buffer.alloc(20 * MiB);
    await eventually(() => simulator.sessions() > 0, 'the session is open');
    given.abort();
    yield Buffer.alloc(20 * MiB);
  }
  const write = connector.write?.('/big', Readable.from(body()), { signal: given.signal, ifExists: 'replace', size: 40 * MiB });
  await assert.rejects(async () => write, { kind: 'aborted' });
  assert.equal(simulator.sessions(), 0);
  await assert.rejects(connector.stat('/big', ask()), { kind: 'notFound' });
});

test('a large body of unknown length becomes a new file, or replaces an old one, which goes to the trash', async (t) => {
  const { simulator, connector } = await linked(t);
  const bytes = Buffer.alloc(20_000_000 + 12_345, 'xyz');
  const before = await names(connector, '/');
  assert.equal((await putUnknown(connector, '/stream', Readable.from([bytes]), 'fail')).size, bytes.length);
  await put(connector, '/stream', 'old');
  assert.equal((await putUnknown(connector, '/stream', Readable.from([bytes]))).name, 'stream');
  assert.ok((await get(connector, '/stream')).equals(bytes));
  assert.deepEqual(await names(connector, '/'), [...before, 'stream'].sort());
  const trashed = [...mara(simulator).items.values()].filter((item) => item.trashed !== undefined);
  assert.equal(trashed.length, 1);
});

test('a large body of unknown length that is damaged, breaks off or comes too late leaves no file', async (t) => {
  const { simulator, connector } = await linked(t);
  await put(connector, '/file', 'good');
  const before = await names(connector, '/');
  simulator.limits.damageNext = true;
  await assert.rejects(putUnknown(connector, '/file', Readable.from([Buffer.alloc(21_000_000)])), { kind: 'damaged' });
  async function* breaking() {
    yield Buffer.alloc(21_000_000);
    throw new Error('the browser went away');
  }
  await assert.rejects(putUnknown(connector, '/file', Readable.from(breaking())), { kind: 'interrupted' });
  async function* late() {
    yield Buffer.alloc(21_000_000);
    mara(simulator).addFile('0', 'taken', simulator.contents.of('first'));
  }
  await assert.rejects(putUnknown(connector, '/taken', Readable.from(late()), 'fail'), { kind: 'alreadyExists' });
  assert.equal((await get(connector, '/file')).toString(), 'good');
  assert.deepEqual(await names(connector, '/'), [...before, 'taken'].sort());
});

test('of two concurrent writers of one new name, without replacing, one is refused as taken; replacing, both succeed', async (t) => {
  const { connector } = await linked(t);
  const results = await Promise.allSettled(['1', '2'].map((bytes) => put(connector, '/race', bytes, 'fail')));
  const [failure] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as { kind: string }] : []));
  assert.deepEqual([results.filter(({ status }) => status === 'fulfilled').length, failure?.kind], [1, 'alreadyExists']);
  await Promise.all(['1', '2'].map((bytes) => put(connector, '/both', bytes)));
  assert.match((await get(connector, '/both')).toString(), /^[12]$/);
});

test('a taken name, a full account and a name that Box refuses are reported before a byte is requested', async (t) => {
  const { simulator, connector } = await linked(t);
  const refused = async (path: string, size: number, kind: string) => {
    const body = Readable.from([Buffer.alloc(size)]);
    await assert.rejects(async () => connector.write?.(path, body, { ...ask(), ifExists: 'fail', size }), { kind });
    assert.ok(!body.readableDidRead && body.destroyed);
  };
  await refused('/Welcome.txt', 5, 'alreadyExists');
  await refused('/trailing ', 5, 'badName');
  simulator.limits.quota = 1000;
  await refused('/large', 2000, 'full');
});

test('items that others move or recreate at Box are found in their new place', async (t) => {
  const { simulator, connector } = await linked(t);
  const state = mara(simulator);
  await names(connector, '/Work');
  const old = state.occupant('0', 'Work');
  if (old) state.trash(old);
  await assert.rejects(get(connector, '/Work/Notes.txt'), { kind: 'notFound' });
  const made = state.makeFolder('0', 'Work');
  state.addFile(made.id, 'Notes.txt', simulator.contents.of('anew'));
  assert.equal((await get(connector, '/Work/Notes.txt')).toString(), 'anew');
  await put(connector, '/Work/more.txt', 'x');
  assert.deepEqual(await names(connector, '/Work'), ['Notes.txt', 'more.txt']);
});

test('a file written in different case is a new version of the existing one, and gets that spelling', async (t) => {
  const { connector } = await linked(t);
  assert.equal((await put(connector, '/WELCOME.txt', 'new')).name, 'WELCOME.txt');
  assert.deepEqual(await names(connector, '/'), ['Photos', 'WELCOME.txt', 'Work']);
  assert.equal((await get(connector, '/WELCOME.txt')).toString(), 'new');
  assert.equal((await connector.rename?.('/WELCOME.txt', 'Welcome.txt', ask()))?.name, 'Welcome.txt');
});

test('a folder is not moved into itself, and the root cannot be changed', async (t) => {
  const { connector } = await linked(t);
  await assert.rejects(async () => connector.move?.('/Work', '/Work/2026/deeper', ask()), { kind: 'alreadyExists' });
  await assert.rejects(async () => connector.remove?.('/', ask()), { kind: 'forbidden' });
  await assert.rejects(async () => connector.createFolder?.('/', ask()), { kind: 'alreadyExists' });
});

test('a file that Box cannot render has no thumbnail', async (t) => {
  const { connector } = await linked(t);
  await assert.rejects(async () => connector.thumbnail?.('/Welcome.txt', { ...ask(), size: 100 }), { kind: 'unsupported' });
});

test('a renamed folder is reported as gone and new; positions keep all their digits; an unknown position returns a new one', async (t) => {
  const { simulator, connector } = await linked(t);
  await names(connector, '/');
  const { cursor = '' } = (await connector.changes?.(undefined, ask())) ?? {};
  assert.match(cursor, /^11529229762522900\d\d$/);
  const state = mara(simulator);
  const folder = state.occupant('0', 'Work');
  if (folder) state.change(folder, { name: 'Jobs' });
  const after = await connector.changes?.(cursor, ask());
  const told = new Map(after?.items.map(({ path, entry }) => [path, entry?.kind]));
  assert.deepEqual(
    [[...told].sort(([a], [b]) => a.localeCompare(b)), after?.incomplete],
    [
      [
        ['/Jobs', 'folder'],
        ['/Work', undefined],
      ],
      false,
    ],
  );
  assert.ok((await names(connector, '/Jobs')).includes('Notes.txt'));
  const text = '{"chunk_size":0,"next_stream_position":1152922976252290886,"entries":[]}';
  simulator.faults.next('GET /events', 1, { kind: 'reply', reply: { text, headers: { 'content-type': 'application/json' } } });
  assert.equal((await connector.changes?.(after?.cursor, ask()))?.cursor, '1152922976252290886');
  const expired = await connector.changes?.('1152922976252000000', ask());
  assert.deepEqual([expired?.incomplete, expired?.items], [true, []]);
});

test('a deletion in an unread folder says that something may be missing', async (t) => {
  const { simulator, connector } = await linked(t);
  const { cursor } = (await connector.changes?.(undefined, ask())) ?? {};
  const state = mara(simulator);
  const year = state.occupant(state.occupant('0', 'Work')?.id ?? '', '2026');
  const file = state.occupant(year?.id ?? '', 'Report.md');
  if (file) state.trash(file);
  assert.deepEqual(await connector.changes?.(cursor, ask()).then(({ items, incomplete }) => [items, incomplete]), [[], true]);
});

test('a search reads more pages than Box returns at once', async (t) => {
  const { simulator, connector } = await linked(t);
  fill(simulator, 450);
  const paths = new Set<string>();
  for await (const batch of connector.search?.('/many', { ...ask(), query: 'file' }) ?? []) for (const { path } of batch) paths.add(path);
  assert.equal(paths.size, 450);
});
