import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type Body, ConnectorError, type ReadOptions } from '@sheaf/connectors';
import { type Item, appError } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { dataOf, testContent } from '#/testing/content.ts';

type Options = Parameters<typeof testContent>[1];

/** A listening server with content, and a user's client. */
async function listening(t: TestContext, options?: Options) {
  const fixture = await testContent(t, options);
  await fixture.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = fixture.app.server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}/rest/content`;
  const cookie = 'sid=user1';
  return {
    ...fixture,
    base,
    cookie,
    download: (
      path: string,
      { headers = {}, method = 'GET', ...query }: { headers?: Record<string, string>; method?: string; inline?: string } = {},
    ) =>
      fetch(`${base}/download?${new URLSearchParams({ linkUri: fixture.uri(path), ...query }).toString()}`, {
        method,
        headers: { cookie, ...headers },
      }),
    async upload(
      name: string,
      body: string | Uint8Array<ArrayBuffer>,
      query: Record<string, string> = {},
      headers: Record<string, string> = {},
    ) {
      const parameters = new URLSearchParams({ parentLinkUri: fixture.uri('/'), name, ...query }).toString();
      const response = await fetch(`${base}/upload?${parameters}`, {
        method: 'PUT',
        body,
        headers: { cookie, 'x-rtag': 'tag', ...headers },
      });
      const answer = (await response.json()) as { data?: Item; errorCode?: number };
      return { status: response.status, ...answer };
    },
    /** The source's content of a name in its root. */
    held(name: string): string | undefined {
      const node = fixture.source.root.children.get(name);
      return node?.kind === 'file' ? node.bytes.toString() : undefined;
    },
  };
}

/** Starts a raw request that will be interrupted. */
function begin(url: string, method: string, headers: Record<string, string>) {
  const client = request(url, { method, headers });
  // The test is about the interruption.
  client.on('error', () => undefined);
  return client;
}

test('a download has the bytes, the name and the type of the file', async (t) => {
  const { source, download } = await listening(t);
  const bytes = randomBytes(300_000);
  source.put('/ä b.bin', bytes);
  const response = await download('/ä b.bin');
  assert.equal(response.status, 200);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
  const header = (name: string) => response.headers.get(name);
  assert.equal(header('content-length'), '300000');
  assert.equal(header('content-type'), 'application/octet-stream');
  assert.equal(header('content-disposition'), `attachment; filename="_ b.bin"; filename*=UTF-8''%C3%A4%20b.bin`);
  assert.equal(header('last-modified'), 'Tue, 14 Nov 2023 22:13:20 GMT');
  assert.deepEqual(
    [header('accept-ranges'), header('x-content-type-options'), header('cache-control')],
    ['bytes', 'nosniff', 'private, no-cache'],
  );
});

test('ranges of a file are returned as requested', async (t) => {
  const { source, download } = await listening(t, { chunkSize: 7 });
  const text = 'The quick brown fox jumps over the lazy dog';
  source.put('/fox.txt', text);
  const part = async (range: string, more: Record<string, string> = {}) => {
    const response = await download('/fox.txt', { headers: { range, ...more } });
    return [response.status, response.headers.get('content-range'), await response.text()];
  };
  assert.deepEqual(await part('bytes=4-8'), [206, 'bytes 4-8/43', 'quick']);
  assert.deepEqual(await part('bytes=-3'), [206, 'bytes 40-42/43', 'dog']);
  assert.deepEqual(await part('bytes=40-'), [206, 'bytes 40-42/43', 'dog']);
  assert.deepEqual(await part('bytes=0-2,5-6'), [200, null, text]);
  const [status, contentRange] = await part('bytes=43-');
  assert.deepEqual([status, contentRange], [416, 'bytes */43']);
  const etag = (await download('/fox.txt', { method: 'HEAD' })).headers.get('etag') ?? '';
  assert.deepEqual(await part('bytes=4-8', { 'if-range': etag }), [206, 'bytes 4-8/43', 'quick']);
  assert.deepEqual(await part('bytes=4-8', { 'if-range': '"older"' }), [200, null, text]);
});

test('a client that already has the file gets 304, and HEAD sends no content', async (t) => {
  const { source, download } = await listening(t);
  source.put('/a.txt', 'hello');
  let reads = 0;
  source.setGate((operation) => void (operation === 'read' && reads++));
  const head = await download('/a.txt', { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '5', '']);
  for (const range of ['bytes=1-2', 'bytes=9-']) {
    const { status, headers } = await download('/a.txt', { method: 'HEAD', headers: { range } });
    assert.deepEqual([status, headers.get('content-length'), headers.get('content-range')], [200, '5', null]);
  }
  const etag = head.headers.get('etag') ?? '';
  assert.equal((await download('/a.txt', { headers: { 'if-none-match': etag } })).status, 304);
  assert.equal(reads, 0);
  source.put('/a.txt', 'changed');
  assert.equal(await (await download('/a.txt', { headers: { 'if-none-match': etag } })).text(), 'changed');
});

test('a stored file cannot run as the app', async (t) => {
  const { source, download } = await listening(t);
  for (const name of ['a.html', 'a.svg', 'a.xml', 'a.txt', 'a.png']) source.put(`/${name}`, '<script>alert(1)</script>');
  for (const name of ['a.html', 'a.svg', 'a.xml', 'a.txt', 'a.png']) {
    const response = await download(`/${name}`, { inline: 'true' });
    await response.arrayBuffer();
    const isShown = name === 'a.txt' || name === 'a.png';
    assert.match(response.headers.get('content-disposition') ?? '', isShown ? /^inline;/ : /^attachment;/, name);
    assert.match(response.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  }
  assert.equal((await download('/a.txt', { inline: 'true' })).headers.get('content-type'), 'text/plain; charset=utf-8');
});

test('a folder, a missing file and a link itself cannot be downloaded', async (t) => {
  const { source, download } = await listening(t);
  source.put('/folder/x', 'x');
  const refusal = async (path: string, headers = {}) =>
    ((await (await download(path, { headers })).json()) as { errorCode: number }).errorCode;
  assert.deepEqual([await refusal('/folder'), await refusal('/'), await refusal('/none')], [708, 708, 701]);
  assert.equal(await refusal('/folder', { range: 'bytes=0-1' }), 708);
});

test('a client that disconnects stops the source', async (t) => {
  const { source, uri, base, cookie } = await listening(t, { chunkSize: 65_536 });
  source.put('/big', Buffer.alloc(64 << 20));
  let chunks = 0;
  source.setGate((operation) => void (operation === 'read' && chunks++));
  const client = begin(`${base}/download?linkUri=${encodeURIComponent(uri('/big'))}`, 'GET', { cookie });
  client.end();
  const [response] = (await once(client, 'response')) as [IncomingMessage];
  await once(response, 'readable');
  // The client reads nothing more, so the source must wait too.
  let before = -1;
  await eventually(() => chunks === before || ((before = chunks), false), 'the source waits for the client');
  assert.ok(chunks < 1024);
  client.destroy();
  const afterChange = chunks;
  await eventually(async () => (await download(base, cookie, uri('/big'))) === 64 << 20, 'another client gets the file');
  assert.ok(chunks <= afterChange + 1024 + 1, 'the first source went on');
});

async function download(base: string, cookie: string, linkUri: string): Promise<number> {
  const response = await fetch(`${base}/download?linkUri=${encodeURIComponent(linkUri)}`, { headers: { cookie } });
  return (await response.arrayBuffer()).byteLength;
}

test('a download whose source breaks off resumes where it was', async (t) => {
  const { source, download: get } = await listening(t, { chunkSize: 1000 });
  const bytes = randomBytes(100_000);
  source.put('/a', bytes);
  let cuts = 0;
  source.setGate((operation, _path, part) => {
    if (operation === 'read' && part === 20 && cuts++ < 3) throw new ConnectorError('interrupted', 'cut');
  });
  assert.deepEqual(Buffer.from(await (await get('/a')).arrayBuffer()), bytes);
  assert.equal(cuts, 4);
});

test('a source that breaks off for good aborts the download', async (t) => {
  const { source, download: get } = await listening(t, { chunkSize: 1000 });
  source.put('/a', Buffer.alloc(100_000));
  source.setGate((operation, _path, part) => {
    if (operation === 'read' && part === 5) throw new ConnectorError('interrupted', 'cut');
  });
  const response = await get('/a');
  assert.equal(response.status, 200);
  await assert.rejects(response.arrayBuffer());
});

test('a source that fails before its first byte is reported with its own error', async (t) => {
  const { source, uri, base, cookie, lacks, extra } = await listening(t);
  source.put('/a', 'whole');
  const fails = async (_path: string, { range }: ReadOptions): Promise<Body> => ({
    size: range ? 2 : 5,
    entry: { size: 5 },
    drain: () => Promise.reject(appError('SOURCE_FORBIDS', { provider: 'Memory' })),
    cancel: () => undefined,
  });
  lacks.add('read');
  Object.assign(extra, { read: fails });
  for (const headers of [{}, { range: 'bytes=1-2' }]) {
    const response = await fetch(`${base}/download?linkUri=${encodeURIComponent(uri('/a'))}`, { headers: { cookie, ...headers } });
    assert.equal(response.headers.get('content-disposition'), null);
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(((await response.json()) as { message?: string }).message, appError('SOURCE_FORBIDS', { provider: 'Memory' }).message);
  }
});

test('an upload is stored, returned as an item, and listed', async (t) => {
  const { upload, held, names, content, userId, uri } = await listening(t);
  await names('/');
  const name = 'é #1 100%+&.txt';
  const { status, data } = await upload(name, 'hello', { modified: '1700000000000' });
  assert.equal(status, 200);
  assert.deepEqual(
    { ...data },
    { name, disambiguatedName: name, linkUri: uri(`/${name}`), fileType: 'FILE', mimeType: 'text/plain', modified: 1_700_000_000, size: 5 },
  );
  assert.equal(held(name), 'hello');
  const ask = { linkUri: uri('/'), sort: 'name', order: 'asc', fresh: false, refresh: false, limit: 25 } as const;
  const page = await content.firstPage(userId, ask, AbortSignal.timeout(60_000));
  assert.equal(dataOf<{ total: number }>(page).total, 1);
});

test('a body of any type is stored unchanged, an empty one too', async (t) => {
  const { upload, held } = await listening(t);
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/html', 'x-odd/thing'];
  for (const [at, type] of types.entries()) {
    assert.equal((await upload(`${at}.bin`, '{"a', {}, { 'content-type': type })).status, 200, type);
    assert.equal(held(`${at}.bin`), '{"a');
  }
  assert.equal((await upload('empty', '')).status, 200);
  assert.equal(held('empty'), '');
});

test('a taken name is refused, replaced or numbered, as the user wishes', async (t) => {
  const { upload, held, source } = await listening(t);
  source.put('/a.txt', 'old');
  source.put('/A 2.txt', 'other');
  assert.equal((await upload('a.txt', 'new')).errorCode, 702);
  assert.equal(held('a.txt'), 'old');
  assert.equal((await upload('a.txt', 'new', { conflict: 'rename' })).data?.name, 'a 3.txt');
  assert.equal((await upload('a.txt', 'new', { conflict: 'replace' })).data?.name, 'a.txt');
  assert.deepEqual([held('a.txt'), held('a 3.txt'), held('A 2.txt')], ['new', 'new', 'other']);
});

test('concurrent uploads of one name become two files', async (t) => {
  const { upload, held } = await listening(t);
  const answers = await Promise.all(['first', 'second', 'third'].map((text) => upload('a.txt', text, { conflict: 'rename' })));
  const stored = answers.map(({ data }) => data?.name ?? '');
  assert.equal(new Set(stored).size, 3);
  assert.deepEqual(stored.map(held), ['first', 'second', 'third']);
});

test('an upload without rTag changes nothing [SEC-04]', async (t) => {
  const { base, cookie, uri, source } = await listening(t);
  const url = `${base}/upload?${new URLSearchParams({ parentLinkUri: uri('/'), name: 'a' }).toString()}`;
  for (const headers of [{ cookie }, { cookie, 'x-rtag': 'wrong' }]) {
    const response = await fetch(url, { method: 'PUT', body: 'x', headers });
    assert.equal(((await response.json()) as { errorCode: number }).errorCode, 104);
  }
  assert.equal(source.root.children.size, 0);
});

test('a client that disconnects during an upload leaves the old file', async (t) => {
  const { base, cookie, uri, source, held } = await listening(t);
  source.put('/a', 'old');
  const ended = Promise.withResolvers<void>();
  const url = `${base}/upload?${new URLSearchParams({ parentLinkUri: uri('/'), name: 'a', conflict: 'replace' }).toString()}`;
  let writes = 0;
  source.setGate((operation) => {
    if (operation === 'write') writes++;
    if (operation === 'stat') ended.resolve();
  });
  const client = begin(url, 'PUT', { cookie, 'x-rtag': 'tag', 'content-length': '1000000' });
  client.write('half');
  await eventually(() => writes === 1, 'the upload has begun');
  client.destroy();
  await eventually(() => source.root.children.size === 1 && held('a') === 'old', 'the old file is there');
  const chunked = begin(url, 'PUT', { cookie, 'x-rtag': 'tag', 'transfer-encoding': 'chunked' });
  chunked.write('half');
  await eventually(() => writes === 2, 'the second upload has begun');
  chunked.destroy();
  // After both have failed, a third upload of the same name is stored.
  const response = await fetch(url, { method: 'PUT', body: 'whole', headers: { cookie, 'x-rtag': 'tag' } });
  assert.equal(response.status, 200);
  assert.equal(held('a'), 'whole');
});

test('an upload of unknown length is stored completely', async (t) => {
  const { base, cookie, uri, held } = await listening(t);
  const client = begin(`${base}/upload?${new URLSearchParams({ parentLinkUri: uri('/'), name: 'a' }).toString()}`, 'PUT', {
    cookie,
    'x-rtag': 'tag',
    'transfer-encoding': 'chunked',
  });
  Readable.from(['one ', 'two']).pipe(client);
  const [response] = (await once(client, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  await buffer(response);
  assert.equal(held('a'), 'one two');
});

test('an upload into a missing folder, under a bad name, or where nothing can be written is refused', async (t) => {
  const { upload, uri, lacks } = await listening(t);
  assert.equal((await upload('a', 'x', { parentLinkUri: uri('/none') })).errorCode, 701);
  for (const name of ['.', '..', 'a/b', '.sheaf-partial-x', 'x'.repeat(256)]) assert.equal((await upload(name, 'x')).errorCode, 710, name);
  lacks.add('write');
  assert.equal((await upload('a', 'x')).errorCode, 704);
});

test('a large upload that is refused receives its refusal', async (t) => {
  const { upload, source, held } = await listening(t);
  source.put('/a', 'old');
  assert.equal((await upload('a', new Uint8Array(8 << 20))).errorCode, 702);
  source.setGate((operation) => {
    if (operation === 'write') throw new ConnectorError('full', 'no room');
  });
  assert.equal((await upload('b', new Uint8Array(8 << 20))).errorCode, 709);
  assert.equal(held('a'), 'old');
});

test('an upload with ifMatch replaces only the version with that tag, and reports the tag of the new one', async (t) => {
  const server = await listening(t);
  await server.upload('notes.txt', 'first');
  const tag = async (): Promise<string> => (await server.download('/notes.txt', { method: 'HEAD' })).headers.get('etag') ?? 'none';
  const read = await tag();
  const saved = await server.upload('notes.txt', 'second!', { conflict: 'replace', ifMatch: read });
  assert.equal(saved.status, 200);
  const { etag } = saved.data as Item & { etag?: string };
  assert.equal(etag, await tag());
  assert.notEqual(etag, read);

  const late = await server.upload('notes.txt', 'too late', { conflict: 'replace', ifMatch: read });
  assert.deepEqual([late.status, late.errorCode, server.held('notes.txt')], [412, 840, 'second!']);
  const gone = await server.upload('missing.txt', 'text', { ifMatch: read });
  assert.deepEqual([gone.status, gone.errorCode, server.held('missing.txt')], [412, 840, undefined]);

  // Of two editors that save over the same version, one is refused.
  const both = await Promise.all(['mine', 'theirs!'].map((text) => server.upload('notes.txt', text, { ifMatch: etag ?? '' })));
  assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200, 412]));
});
