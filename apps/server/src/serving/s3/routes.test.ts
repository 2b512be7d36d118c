import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { Connector } from '@sheaf/connectors';
import type { MemorySource } from '@sheaf/connectors/memory';
import { deleteAppPassword, linkUriOf } from '@sheaf/contract';
import { addSftp } from '#/testing/links.ts';
import { s3Client, textsOf } from './testing/client.ts';
import { nas, program } from './testing/nas.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const crcOf = (text: string): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64');
};
const put = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) => ({ method: 'PUT', path, body, headers });

/** Everything in a folder of the source, hidden files too. */
function namesIn({ root }: MemorySource, name: string): string[] {
  const folder = root.children.get(name);
  return folder?.kind === 'folder' ? [...folder.children.keys()] : [];
}

test('objects are stored with their folders, read in ranges and on conditions, keep their tag, time and headers, and are deleted', async (t) => {
  const { client, source } = await nas(t);
  const { ask, status } = client;
  assert.deepEqual(textsOf((await ask({ path: '/' })).text, 'Name'), ['my-nas']);
  const made = await ask(put('/my-nas/a/b/c.txt', 'hello', { 'x-amz-meta-mtime': '1700000000.25', 'x-amz-meta-who': 'me' }));
  assert.deepEqual([made.status, made.headers.etag], [200, `"${md5('hello')}"`], made.text);
  const head = await ask({ method: 'HEAD', path: '/my-nas/a/b/c.txt' });
  assert.deepEqual(
    [head.status, head.headers.etag, head.headers['content-length'], head.headers['x-amz-meta-mtime'], head.headers['x-amz-meta-who']],
    [200, `"${md5('hello')}"`, '5', '1700000000.25', 'me'],
  );
  const whole = await ask({ path: '/my-nas/a/b/c.txt' });
  assert.deepEqual([whole.status, whole.text, whole.headers.etag], [200, 'hello', `"${md5('hello')}"`]);
  const part = await ask({ path: '/my-nas/a/b/c.txt', headers: { range: 'bytes=1-2' } });
  assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, 'el', 'bytes 1-2/5']);
  assert.equal(await status({ path: '/my-nas/a/b/c.txt', headers: { range: 'bytes=9-' } }), 416);
  assert.equal(await status({ path: '/my-nas/a/b/c.txt', headers: { 'if-none-match': `"${md5('hello')}"` } }), 304);
  assert.equal(await status({ path: '/my-nas/a/b/c.txt', headers: { 'if-match': '"other"' } }), 412);
  assert.equal(await status(put('/my-nas/a/b/c.txt', 'other', { 'if-none-match': '*' })), 412);
  assert.equal(await status(put('/my-nas/a/b/c.txt', 'other', { 'if-match': '"other"' })), 412);
  assert.equal(await status(put('/my-nas/a/b/c.txt', 'other', { 'if-match': `"${md5('hello')}"` })), 200);
  assert.equal(await status(put('/my-nas/a/b/new.txt', 'new', { 'if-none-match': '*' })), 200);

  // What another program stores has another tag.
  source.put('/a/b/c.txt', 'changed elsewhere');
  const other = await ask({ method: 'HEAD', path: '/my-nas/a/b/c.txt' });
  assert.match(other.headers.etag ?? '', /^"[0-9a-f]{32}-1"$/);

  const copied = await ask({ method: 'PUT', path: '/my-nas/d/copy.txt', headers: { 'x-amz-copy-source': '/my-nas/a/b/new.txt' } });
  assert.deepEqual([copied.status, textsOf(copied.text, 'ETag')], [200, [`"${md5('new')}"`.replaceAll('"', '&quot;')]], copied.text);
  const renewed = { 'x-amz-copy-source': '/my-nas/d/copy.txt', 'x-amz-metadata-directive': 'REPLACE', 'x-amz-meta-mtime': '1600000000' };
  assert.equal(await status({ method: 'PUT', path: '/my-nas/d/copy.txt', headers: renewed }), 200);
  assert.equal((await ask({ method: 'HEAD', path: '/my-nas/d/copy.txt' })).headers['x-amz-meta-mtime'], '1600000000');
  assert.equal((await ask({ path: '/my-nas/d/copy.txt' })).text, 'new');

  assert.equal(await status({ method: 'DELETE', path: '/my-nas/a/b' }), 204, 'a folder is no object');
  assert.equal(await status({ method: 'HEAD', path: '/my-nas/a/b/new.txt' }), 200);
  const keys = ['a/b/c.txt', 'a/b/new.txt', 'none', 'd//x'].map((key) => `<Object><Key>${key}</Key></Object>`).join('');
  const deleted = await ask({ method: 'POST', path: '/my-nas', query: 'delete=', body: `<Delete>${keys}</Delete>` });
  assert.deepEqual(textsOf(deleted.text, 'Code'), ['InvalidArgument'], deleted.text);
  assert.equal(await status({ method: 'HEAD', path: '/my-nas/a/b/new.txt' }), 404);
  for (const key of ['a//b', 'a/../b', './a', 'a/.', '.sheaf-parts-x/y'])
    assert.equal(textsOf((await ask(put(`/my-nas/${key}`, 'x'))).text, 'Code')[0], 'InvalidArgument', key);
  assert.equal(textsOf((await ask(put(`/my-nas/${'k'.repeat(1025)}`, 'x'))).text, 'Code')[0], 'KeyTooLongError');
  assert.equal(textsOf((await ask(put('/none/x', 'x'))).text, 'Code')[0], 'NoSuchBucket');
});

test('signatures in headers, addresses and chunks open; wrong ones, old ones and changed bytes do not, and nothing of them is stored', async (t) => {
  const { client, url, source, user } = await nas(t);
  const { ask, askInChunks, presign, status } = client;
  source.put('/x.txt', 'x');
  assert.equal(await (await fetch(presign('/my-nas/x.txt'))).text(), 'x');
  assert.equal((await fetch(presign('/my-nas/x.txt').replace('x.txt', 'y.txt'))).status, 403);
  assert.equal((await fetch(presign('/my-nas/x.txt', { skew: -120_000 }))).status, 403, 'expired');
  assert.equal((await fetch(presign('/my-nas/up.txt', { method: 'PUT' }), { method: 'PUT', body: 'up' })).status, 200);
  assert.equal((await ask({ path: '/my-nas/up.txt' })).text, 'up');
  assert.equal(textsOf((await ask({ path: '/my-nas/x.txt', skew: 16 * 60_000 })).text, 'Code')[0], 'RequestTimeTooSkewed');
  assert.equal(await status({ path: '/my-nas/x.txt', skew: -14 * 60_000 }), 200);
  assert.equal(await status({ ...put('/my-nas/u.txt', 'u'), payload: 'UNSIGNED-PAYLOAD' }), 200);
  const other = s3Client(url, { accessKeyId: client.accessKeyId, secretAccessKey: 'wrong' });
  assert.equal(textsOf((await other.ask({ path: '/my-nas/x.txt' })).text, 'Code')[0], 'InvalidAccessKeyId');
  const cookie = [...user.cookies].map((pair) => pair.join('=')).join('; ');
  assert.equal((await fetch(`${url}/s3/my-nas/x.txt`, { headers: { cookie } })).status, 403);
  const basic = `Basic ${Buffer.from(`${client.username}:${client.password}`).toString('base64')}`;
  assert.equal((await fetch(`${url}/s3/my-nas/x.txt`, { headers: { authorization: basic } })).status, 403);

  const chunks = ['first chunk, ', 'second'];
  assert.equal((await askInChunks({ path: '/my-nas/chunks.txt', chunks })).status, 200);
  assert.equal((await ask({ path: '/my-nas/chunks.txt' })).text, chunks.join(''));
  const trailers = { 'x-amz-checksum-crc32': crcOf(chunks.join('')) };
  const trailed = await askInChunks({ path: '/my-nas/trailed.txt', chunks, trailers });
  assert.deepEqual([trailed.status, trailed.headers['x-amz-checksum-crc32']], [200, trailers['x-amz-checksum-crc32']]);

  const refused = [
    [await askInChunks({ path: '/my-nas/no.txt', chunks, wrong: true }), 'SignatureDoesNotMatch'],
    [await askInChunks({ path: '/my-nas/no.txt', chunks, trailers: { 'x-amz-checksum-crc32': crcOf('other') } }), 'BadDigest'],
    [await ask({ ...put('/my-nas/no.txt', 'x'), payload: createHash('sha256').update('y').digest('hex') }), 'XAmzContentSHA256Mismatch'],
    [await ask(put('/my-nas/no.txt', 'x', { 'content-md5': Buffer.from(md5('y'), 'hex').toString('base64') })), 'BadDigest'],
    [await ask(put('/my-nas/no.txt', 'x', { 'x-amz-checksum-crc32': crcOf('y') })), 'BadDigest'],
    [await ask(put('/my-nas/no.txt', 'x', { 'content-md5': 'short' })), 'InvalidDigest'],
  ] as const;
  for (const [{ text }, code] of refused) assert.deepEqual(textsOf(text, 'Code'), [code], text);
  assert.equal(await status({ method: 'HEAD', path: '/my-nas/no.txt' }), 404);
});

/** Checksums of "123456789", in hexadecimal: the check values of the CRC catalogue (reveng.sourceforge.io), and of sha1sum and sha256sum. */
const checksums = {
  crc32: 'cbf43926',
  crc32c: 'e3069283',
  crc64nvme: 'ae8b14860a799888',
  sha1: 'f7c3bc1d808e04732adf679965ccc34ca7ae3441',
  sha256: '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225',
};

test('each checksum that programs send is compared, before the body or after it, and nothing that differs is stored', async (t) => {
  const { client } = await nas(t);
  const { ask, askUnsigned, status } = client;
  const sent = { path: '/my-nas/sum.txt', chunks: ['1234', '56789'] };
  const stored = async () => (await ask({ path: sent.path })).text;
  for (const [name, hex] of Object.entries(checksums)) {
    const header = `x-amz-checksum-${name}`;
    const right = Buffer.from(hex, 'hex');
    const wrong = Buffer.from(right).fill(7, 0, 1).toString('base64');
    const trailers = { [header]: right.toString('base64') };
    const made = await askUnsigned({ ...sent, trailers });
    assert.deepEqual([made.status, made.headers[header]], [200, trailers[header]], made.text);
    assert.equal(await status(put(sent.path, '123456789', trailers)), 200, name);
    assert.deepEqual(textsOf((await askUnsigned({ ...sent, chunks: ['12345678', '9'], trailers: { [header]: wrong } })).text, 'Code'), [
      'BadDigest',
    ]);
    assert.deepEqual(textsOf((await ask(put('/my-nas/none.txt', '123456789', { [header]: wrong }))).text, 'Code'), ['BadDigest']);
    assert.equal(await stored(), '123456789');
  }
  const missing = await askUnsigned({ path: '/my-nas/none.txt', chunks: ['x'], trailers: {}, announced: ['x-amz-checksum-crc32'] });
  assert.deepEqual(textsOf(missing.text, 'Code'), ['IncompleteBody']);
  assert.equal(await status({ method: 'HEAD', path: '/my-nas/none.txt' }), 404);
});

test('a part is copied from an object, whole or in a range, if the object has not changed', async (t) => {
  const { client, source } = await nas(t);
  source.put('/from.txt', '0123456789');
  const target = '/my-nas/joined.txt';
  const id = textsOf((await client.ask({ method: 'POST', path: target, query: 'uploads=' })).text, 'UploadId')[0] ?? '';
  const copy = (number: number, headers: Readonly<Record<string, string>>) =>
    client.ask({
      method: 'PUT',
      path: target,
      query: `partNumber=${number}&uploadId=${id}`,
      headers: { 'x-amz-copy-source': '/my-nas/from.txt', ...headers },
    });
  const parts = [await copy(1, { 'x-amz-copy-source-range': 'bytes=5-9' }), await copy(2, {})];
  const tags = parts.map(({ text }) => textsOf(text, 'ETag')[0]?.replaceAll('&quot;', '') ?? assert.fail(text));
  assert.deepEqual(tags, [md5('56789'), md5('0123456789')]);
  assert.deepEqual(textsOf((await copy(3, { 'x-amz-copy-source-if-match': '"other"' })).text, 'Code'), ['PreconditionFailed']);
  const all = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`).join('');
  const body = `<CompleteMultipartUpload>${all}</CompleteMultipartUpload>`;
  const done = await client.ask({ method: 'POST', path: target, query: `uploadId=${id}`, body });
  assert.equal(done.status, 200, done.text);
  assert.equal((await client.ask({ path: target })).text, '567890123456789');
});

test('listings are in the order of bytes, by prefix and delimiter, page by page in both versions, also across all links', async (t) => {
  const { client, source, user } = await nas(t);
  const names = [
    'a-b.txt',
    'a/1.txt',
    'a/b/2.txt',
    'a.txt',
    'B.txt',
    'ä.txt',
    '\u{1F600}.txt',
    '\uFFFD.txt',
    'z &<.txt',
    'Z/deep/er/x.txt',
  ];
  for (const name of names) source.put(`/${name}`, name);
  await addSftp(user, 'Other');
  const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
  const sorted = names.toSorted(bytes);
  const list = async (query: string, path = '/my-nas') => {
    const { status, text } = await client.ask({ path, query });
    assert.equal(status, 200, text);
    const decoded = (name: string) => textsOf(text, name).map((one) => decodeURIComponent(one));
    const [prefixes] = [[...text.matchAll(/<CommonPrefixes><Prefix>([^<]*)</g)].map(([, one = '']) => decodeURIComponent(one))];
    return { keys: decoded('Key'), prefixes, token: textsOf(text, 'NextContinuationToken')[0], marker: decoded('NextMarker')[0], text };
  };
  assert.deepEqual((await list('list-type=2&encoding-type=url')).keys, sorted);
  const flat = await list('list-type=2&encoding-type=url&delimiter=%2F');
  assert.deepEqual([flat.keys, flat.prefixes], [sorted.filter((name) => !name.includes('/')), ['Z/', 'a/']]);
  const inside = await list('list-type=2&encoding-type=url&delimiter=%2F&prefix=a%2F');
  assert.deepEqual([inside.keys, inside.prefixes], [['a/1.txt'], ['a/b/']]);
  assert.deepEqual(
    (await list('encoding-type=url&prefix=a')).keys,
    sorted.filter((name) => name.startsWith('a')),
  );
  assert.deepEqual((await list('list-type=2&encoding-type=url&start-after=a%2F1.txt')).keys, sorted.slice(sorted.indexOf('a/1.txt') + 1));
  assert.deepEqual((await list('list-type=2&prefix=a%2F%2F')).keys, []);
  assert.deepEqual((await list('list-type=2&max-keys=0')).keys, []);
  const other = await list('list-type=2&encoding-type=url&delimiter=.');
  assert.deepEqual(other.prefixes, [...new Set(sorted.map((name) => name.slice(0, name.indexOf('.') + 1)))]);
  for (const [first, next] of [
    ['list-type=2&encoding-type=url', ({ token }: { token?: string | undefined }) => token && `&continuation-token=${token}`],
    ['encoding-type=url', ({ marker }: { marker?: string | undefined }) => marker && `&marker=${encodeURIComponent(marker)}`],
  ] as const)
    for (const delimiter of ['', '&delimiter=%2F']) {
      const found: string[] = [];
      let page = await list(`${first}${delimiter}&max-keys=1`);
      for (;;) {
        found.push(...page.keys, ...page.prefixes);
        const more = next(page);
        if (!more) break;
        page = await list(`${first}${delimiter}&max-keys=1${more}`);
      }
      assert.deepEqual(found, delimiter === '' ? sorted : [...flat.keys, ...flat.prefixes].toSorted(bytes), first);
    }
  // A client that knows no path before the bucket sees one bucket with a folder for each link.
  assert.deepEqual((await list('list-type=2&delimiter=%2F&encoding-type=url', '/')).prefixes, ['my-nas/', 'other/']);
  assert.deepEqual((await list('list-type=2&prefix=my-nas%2Fa%2F&encoding-type=url', '/')).keys, ['my-nas/a/1.txt', 'my-nas/a/b/2.txt']);
  assert.equal(await client.status({ path: '', query: 'location=' }), 200);
  // A folder that was stored as an object is one.
  assert.equal(await client.status(put('/my-nas/made/', '')), 200);
  assert.deepEqual((await list('list-type=2&prefix=made')).keys, ['made/']);
  assert.equal(await client.status({ method: 'DELETE', path: '/my-nas/made/' }), 204);
  assert.deepEqual((await list('list-type=2&prefix=made')).keys, []);
});

test('an app password opens its folders only, reads where it may only read, and ends when it is revoked', async (t) => {
  const { user, url, userLinkId, source } = await nas(t);
  source.put('/docs/open/a.txt', 'a');
  source.put('/docs/closed/b.txt', 'b');
  const limited = await program(user, url, [linkUriOf(userLinkId, '/docs/open')]);
  const keys = async (query: string) => textsOf((await limited.ask({ path: '/my-nas', query })).text, 'Key');
  assert.deepEqual(await keys('list-type=2'), ['docs/open/a.txt']);
  assert.deepEqual(await keys('list-type=2&prefix=docs/closed/'), []);
  assert.equal(await limited.status({ path: '/my-nas/docs/closed/b.txt' }), 404);
  assert.equal(await limited.status(put('/my-nas/docs/closed/c.txt', 'x')), 404);
  assert.equal(await limited.status(put('/my-nas/docs/open/deep/c.txt', 'x')), 200);
  const from = { 'x-amz-copy-source': '/my-nas/docs/closed/b.txt' };
  assert.equal(await limited.status({ method: 'PUT', path: '/my-nas/docs/open/b.txt', headers: from }), 404);
  const reader = await program(user, url, [], 'read');
  assert.equal((await reader.ask({ path: '/my-nas/docs/open/a.txt' })).text, 'a');
  for (const sent of [
    put('/my-nas/x', 'x'),
    { method: 'DELETE', path: '/my-nas/docs/open/a.txt' },
    { method: 'POST', path: '/my-nas/x', query: 'uploads=' },
  ])
    assert.equal(await reader.status(sent), 403, sent.method);
  assert.equal(await reader.status({ path: '/my-nas/docs/open/a.txt' }), 200);
  await user.ask(deleteAppPassword, { appPasswordId: reader.appPassword.appPasswordId });
  assert.equal(await reader.status({ path: '/my-nas/docs/open/a.txt' }), 403);
});

/** Storages that take parts of any size and order, and others, where each part is a hidden file. */
const partStorages = {
  'that has parts itself': {},
  'without parts': {
    changed: (connector: Connector): Connector => {
      const { beginNumbered, ...rest } = connector;
      assert.ok(beginNumbered);
      return rest;
    },
  },
};
for (const [storage, options] of Object.entries(partStorages))
  test(`on a storage ${storage} parts come in any order and twice, on any instance, and are an object only when they are complete`, async (t) => {
    const { client, source, services, user, url } = await nas(t, options);
    const hasFolder = 'changed' in options;
    const begun = await client.ask({
      method: 'POST',
      path: '/my-nas/big/file.bin',
      query: 'uploads=',
      headers: { 'x-amz-meta-mtime': '1700000000' },
    });
    const id = textsOf(begun.text, 'UploadId')[0] ?? assert.fail(begun.text);
    const part = (number: number, body: string) =>
      client.ask({ method: 'PUT', path: '/my-nas/big/file.bin', query: `partNumber=${number}&uploadId=${id}`, body });
    const bodies = ['one ', 'two ', 'three'];
    for (const number of [3, 1, 2, 1])
      assert.equal((await part(number, bodies[number - 1] ?? '')).headers.etag, `"${md5(bodies[number - 1] ?? '')}"`);
    assert.equal((await part(2, 'TWO ')).status, 200);
    assert.equal(await client.status({ method: 'HEAD', path: '/my-nas/big/file.bin' }), 404);
    assert.deepEqual(textsOf((await client.ask({ path: '/my-nas', query: 'list-type=2' })).text, 'Key'), []);
    assert.equal(namesIn(source, 'big').length, hasFolder ? 1 : 0);
    const parts = await client.ask({ path: '/my-nas/big/file.bin', query: `uploadId=${id}` });
    assert.deepEqual(textsOf(parts.text, 'PartNumber'), ['1', '2', '3']);
    assert.deepEqual(textsOf((await client.ask({ path: '/my-nas', query: 'uploads=' })).text, 'UploadId'), [id]);
    const complete = (tags: readonly string[], order = [1, 2, 3]) => {
      const all = order.map((number, index) => `<Part><PartNumber>${number}</PartNumber><ETag>"${tags[index]}"</ETag></Part>`).join('');
      const body = `<CompleteMultipartUpload>${all}</CompleteMultipartUpload>`;
      return client.ask({ method: 'POST', path: '/my-nas/big/file.bin', query: `uploadId=${id}`, body });
    };
    const tags = ['one ', 'TWO ', 'three'].map(md5);
    assert.deepEqual(textsOf((await complete(bodies.map(md5))).text, 'Code'), ['InvalidPart']);
    assert.deepEqual(textsOf((await complete(['TWO ', 'one ', 'three'].map(md5), [2, 1, 3])).text, 'Code'), ['InvalidPartOrder']);
    const stranger = await program(user, url);
    assert.equal(
      await stranger.status({ method: 'PUT', path: '/my-nas/other.bin', query: `partNumber=1&uploadId=${id}`, body: 'x' }),
      404,
      'another key',
    );
    const tag = `"${createHash('md5')
      .update(Buffer.from(tags.join(''), 'hex'))
      .digest('hex')}-3"`;
    for (const time of ['first', 'repeated']) {
      const done = await complete(tags);
      assert.deepEqual([done.status, textsOf(done.text, 'ETag')], [200, [tag.replaceAll('"', '&quot;')]], `${time}: ${done.text}`);
    }
    const read = await client.ask({ path: '/my-nas/big/file.bin' });
    assert.deepEqual([read.text, read.headers.etag, read.headers['x-amz-meta-mtime']], ['one TWO three', tag, '1700000000']);
    await services.background.idle();
    assert.deepEqual(namesIn(source, 'big'), ['file.bin']);

    const second = await client.ask({ method: 'POST', path: '/my-nas/big/none.bin', query: 'uploads=' });
    const other = textsOf(second.text, 'UploadId')[0] ?? '';
    assert.equal(
      await client.status({ method: 'PUT', path: '/my-nas/big/none.bin', query: `partNumber=1&uploadId=${other}`, body: 'x' }),
      200,
    );
    assert.equal(await client.status({ method: 'DELETE', path: '/my-nas/big/none.bin', query: `uploadId=${other}` }), 204);
    assert.equal(
      await client.status({ method: 'PUT', path: '/my-nas/big/none.bin', query: `partNumber=1&uploadId=${other}`, body: 'x' }),
      404,
    );
    await services.background.idle();
    assert.deepEqual(namesIn(source, 'big'), ['file.bin']);
  });

test("the storage's parts are joined once, also after a crash before the result was stored, and an empty part adds nothing", async (t) => {
  const { client, services } = await nas(t);
  const path = '/my-nas/film.bin';
  const id = textsOf((await client.ask({ method: 'POST', path, query: 'uploads=' })).text, 'UploadId')[0] ?? assert.fail();
  const bodies = ['the first part, ', '', 'and the last'];
  for (const [index, body] of bodies.entries())
    assert.equal(await client.status({ method: 'PUT', path, query: `partNumber=${2 * index + 1}&uploadId=${id}`, body }), 200);
  const all = bodies.map((body, index) => `<Part><PartNumber>${2 * index + 1}</PartNumber><ETag>"${md5(body)}"</ETag></Part>`).join('');
  const complete = () =>
    client.ask({ method: 'POST', path, query: `uploadId=${id}`, body: `<CompleteMultipartUpload>${all}</CompleteMultipartUpload>` });
  const first = await complete();
  assert.equal(first.status, 200, first.text);
  // The state after a crash between the storage's answer and the write of the row.
  await services.database.db.updateTable('s3_upload').set({ etag: null }).where('id', '=', id).execute();
  const again = await complete();
  assert.deepEqual([again.status, textsOf(again.text, 'ETag')], [200, textsOf(first.text, 'ETag')], again.text);
  assert.equal((await client.ask({ path })).text, bodies.join(''));
  // A different file of that name must not count as the object.
  await services.database.db.updateTable('s3_upload').set({ etag: null }).where('id', '=', id).execute();
  assert.equal(await client.status(put(path, 'of another size')), 200);
  assert.deepEqual(textsOf((await complete()).text, 'Code'), ['NoSuchUpload']);
  assert.equal((await client.ask({ path })).text, 'of another size');
  await services.background.idle();
});

test('a folder is copied as an object, also to itself with other headers', async (t) => {
  const { client, source } = await nas(t);
  assert.equal(await client.status(put('/my-nas/a%20%26%20b/', '', { 'x-amz-meta-mode': '16877' })), 200);
  const copy = (to: string, from: string, headers: Readonly<Record<string, string>> = {}) =>
    client.status({ method: 'PUT', path: to, headers: { 'x-amz-copy-source': from, ...headers } });
  const modeOf = async (path: string) => (await client.ask({ method: 'HEAD', path })).headers['x-amz-meta-mode'];
  const changed = { 'x-amz-metadata-directive': 'REPLACE', 'x-amz-meta-mode': '16832' };
  assert.equal(await copy('/my-nas/a%20%26%20b/', '/my-nas/a%20%26%20b/', changed), 200);
  assert.equal(await modeOf('/my-nas/a%20%26%20b/'), '16832');
  assert.equal(await copy('/my-nas/other/', '/my-nas/a%20%26%20b/'), 200);
  assert.equal(await modeOf('/my-nas/other/'), '16832');
  assert.deepEqual([...source.root.children.keys()].toSorted(), ['a & b', 'other']);
  assert.equal(await copy('/my-nas/third/', '/my-nas/none/'), 404);
});
