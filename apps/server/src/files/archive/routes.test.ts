import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ConnectorError } from '@sheaf/connectors';
import { archive, familyCalls, linkUriOf } from '@sheaf/contract';
import { run } from '@sheaf/testbed';
import { draftOf, linkApp, sftpInfo } from '#/testing/links.ts';

async function setting(t: TestContext, options: Parameters<typeof linkApp>[1] = {}) {
  const app = await linkApp(t, options);
  const { userLinkId } = await app.user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: 'NAS' }));
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  const cookie = [...app.user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const url = (...paths: string[]): string => {
    const query = new URLSearchParams(paths.map((path) => ['linkUri', linkUriOf(userLinkId, path)]));
    return `http://127.0.0.1:${port}${archive.path}?${query.toString()}`;
  };
  return {
    ...app,
    url,
    cookie,
    fetch: (paths: string[], headers: Record<string, string> = {}) => fetch(url(...paths), { headers: { cookie, ...headers } }),
  };
}

/** The files that the system's unzip extracts. */
async function unpacked(t: TestContext, zip: Buffer): Promise<Map<string, Buffer | 'folder'>> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-zip-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'a.zip'), zip);
  await run('unzip', ['-t', join(folder, 'a.zip')]);
  await run('env', ['LC_ALL=C.UTF-8', 'unzip', '-q', join(folder, 'a.zip'), '-d', join(folder, 'out')]);
  const entries = await readdir(join(folder, 'out'), { recursive: true, withFileTypes: true });
  const found = new Map<string, Buffer | 'folder'>();
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    found.set(path.slice(join(folder, 'out').length + 1), entry.isDirectory() ? 'folder' : await readFile(path));
  }
  return found;
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

test('a folder is downloaded as a zip of everything in it, with its length announced', async (t) => {
  const { source, fetch } = await setting(t);
  const large = randomBytes(900_000);
  source.put('/Trip/größe 漢字 🙂.txt', 'small');
  source.put('/Trip/Deep/large.bin', large);
  source.put('/Trip/empty.txt', '');
  source.put('/Trip/Hollow/x', '');
  const response = await fetch(['/Trip']);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/zip');
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="Trip.zip"');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  const zip = await bytesOf(response);
  assert.equal(response.headers.get('content-length'), String(zip.length));
  const found = await unpacked(t, zip);
  assert.deepEqual(
    [...found.keys()].sort(),
    ['Trip', 'Trip/Deep', 'Trip/Deep/large.bin', 'Trip/Hollow', 'Trip/Hollow/x', 'Trip/empty.txt', 'Trip/größe 漢字 🙂.txt'].sort(),
  );
  assert.ok(large.equals(found.get('Trip/Deep/large.bin') as Buffer));
  assert.equal(String(found.get('Trip/größe 漢字 🙂.txt')), 'small');
});

test('several items come in one zip, with equal names numbered, and a whole link under its name', async (t) => {
  const { source, fetch } = await setting(t);
  source.put('/A/note.txt', 'one');
  source.put('/B/note.txt', 'two');
  const several = await fetch(['/A/note.txt', '/B/note.txt', '/B']);
  assert.equal(several.headers.get('content-disposition'), 'attachment; filename="A.zip"');
  const found = await unpacked(t, await bytesOf(several));
  assert.deepEqual([...found.keys()].sort(), ['B', 'B/note.txt', 'note 2.txt', 'note.txt']);
  const root = await fetch(['/']);
  assert.equal(root.headers.get('content-disposition'), 'attachment; filename="NAS.zip"');
  assert.deepEqual([...(await unpacked(t, await bytesOf(root))).keys()].sort(), [
    'NAS',
    'NAS/A',
    'NAS/A/note.txt',
    'NAS/B',
    'NAS/B/note.txt',
  ]);
});

test('an interrupted zip is resumed where it broke off: every requested part equals that part of the whole', async (t) => {
  const { source, fetch } = await setting(t, { chunkSize: 10_000 });
  for (const name of ['a', 'b', 'c']) source.put(`/Trip/${name}.bin`, randomBytes(300_000));
  source.put('/Trip/small.txt', 'small');
  const read: string[] = [];
  source.setGate((operation, path, part) => void (operation === 'read' && part === 0 && read.push(path)));
  const first = await fetch(['/Trip']);
  const whole = await bytesOf(first);
  const etag = first.headers.get('etag') ?? '';
  assert.match(etag, /^"[\w-]{22}"$/);
  for (const [start, end] of [
    [1, 10],
    [0, 299_000],
    [100_000, 650_000],
    [290_000, 300_200],
    [650_000, whole.length - 1],
    [whole.length - 22, whole.length - 1],
    [300_050, 300_055],
  ] as const) {
    const part = await fetch(['/Trip'], { range: `bytes=${start}-${end}`, 'if-range': etag });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes ${start}-${end}/${whole.length}`]);
    assert.ok((await bytesOf(part)).equals(whole.subarray(start, end + 1)), `${start}-${end}`);
  }
  read.length = 0;
  const rest = await fetch(['/Trip'], { range: `bytes=650000-`, 'if-range': etag });
  assert.ok((await bytesOf(rest)).equals(whole.subarray(650_000)));
  assert.deepEqual(read, ['/Trip/c.bin', '/Trip/small.txt'], 'what was sent before is not read again');
  assert.equal((await fetch(['/Trip'], { 'if-none-match': etag })).status, 304);
  assert.equal((await fetch(['/Trip'], { range: `bytes=${whole.length}-` })).status, 416);

  source.put('/Trip/a.bin', randomBytes(300_000));
  const changed = await fetch(['/Trip'], { range: 'bytes=650000-', 'if-range': etag });
  assert.deepEqual([changed.status, (await bytesOf(changed)).length], [200, whole.length]);
});

test('a range that would need everything before it to be read again is answered with the whole zip', async (t) => {
  const { source, fetch } = await setting(t);
  for (const name of ['a', 'b']) source.put(`/Trip/${name}.bin`, randomBytes(300_000));
  const answer = await fetch(['/Trip'], { range: 'bytes=-22' });
  assert.equal(answer.status, 200);
  assert.equal((await unpacked(t, await bytesOf(answer))).size, 3);
});

test('a link that allows a single connection can be packed too', async (t) => {
  const { source, fetch } = await setting(t, { concurrency: 1 });
  for (const folder of ['a', 'b', 'c/d'])
    for (const size of [10, 300_000, 20, 400_000]) source.put(`/Trip/${folder}/${size}`, randomBytes(size));
  const started = Date.now();
  const found = await unpacked(t, await bytesOf(await fetch(['/Trip'])));
  assert.equal([...found.values()].filter((content) => content !== 'folder').length, 12);
  assert.ok(Date.now() - started < 20_000, 'nobody waits for a connection that they hold themselves');
});

test('a source that fails midway aborts the connection, so that nobody takes the part for the whole', async (t) => {
  const { source, url, cookie } = await setting(t, { chunkSize: 50_000 });
  source.put('/Trip/a.bin', randomBytes(600_000));
  source.put('/Trip/b.bin', randomBytes(600_000));
  source.setGate((operation, path, part) => {
    if (operation === 'read' && path === '/Trip/b.bin' && part > 1) throw new ConnectorError('interrupted', 'as the test wants it');
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url('/Trip'), { headers: { cookie } }, resolve).once('error', reject);
  });
  const chunks: Buffer[] = [];
  await assert.rejects(async () => {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  });
  const part = Buffer.concat(chunks);
  assert.equal(response.complete, false);
  assert.ok(part.length > 600_000 && part.length < Number(response.headers['content-length']), `${part.length}`);
  assert.equal(part.indexOf('PK\u0005\u0006'), -1, 'no end of a zip');
});

test('an item that cannot be reached is refused before the zip begins', async (t) => {
  const { source, fetch, user, visitor } = await setting(t);
  source.put('/a.txt', 'a');
  assert.equal((await fetch(['/missing'])).status, 404);
  assert.equal((await user.refusal(archive, { linkUri: [] })).errorCode, 107);
  assert.equal((await user.refusal(archive, { linkUri: ['/nolink/x'] })).errorCode, 351);
  assert.equal((await visitor().refusal(archive, { linkUri: ['/nolink/x'] })).errorCode, 104);
});

test('invalid names from a source are left out or unpack inside the folder', async (t) => {
  const { source, fetch } = await setting(t);
  source.put('/Trip/ok.txt', 'ok');
  const trip = source.root.children.get('Trip');
  assert.ok(trip?.kind === 'folder');
  const file = trip.children.get('ok.txt');
  assert.ok(file);
  for (const name of [
    '..',
    '.',
    '..\\..\\evil.txt',
    'C:evil.txt',
    '.. ',
    '\u001b[2J.txt',
    'a\nb.txt',
    '../../evil.txt',
    'nul\0.txt',
    '_____evil.txt',
    '..\\..\\evil.txt',
  ])
    trip.children.set(name, file);
  const found = await unpacked(t, await bytesOf(await fetch(['/Trip'])));
  assert.deepEqual(
    [...found.keys()].sort(),
    ['Trip', 'Trip/C_evil.txt', 'Trip/_[2J.txt', 'Trip/_____evil.txt', 'Trip/a_b.txt', 'Trip/ok.txt'].sort(),
  );
});
