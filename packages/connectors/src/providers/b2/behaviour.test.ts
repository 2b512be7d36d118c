import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type B2, startB2 } from '@sheaf/testbed';
import { testEnv } from '../../conformance/env.ts';
import { type Connector, type WriteAsk, capabilitiesOf } from '../../core/connector.ts';
import { collect } from '../../kit/body.ts';
import { parseB2Config } from './config.ts';
import { completeB2, openB2 } from './connector.ts';
import { b2 } from './index.ts';
import type { StoreOptions } from './store.ts';

const MiB = 1024 * 1024;
const ask = () => ({ signal: AbortSignal.timeout(20_000) });
/** Parts as small as B2 takes them. */
const sizes = { single: 6 * MiB, knownPart: 5 * MiB, unknownPart: 5 * MiB, mostParts: 10_000 };
const call = (operation: string) => `POST /b2api/{version}/${operation}`;

/** A server with a bucket, and a link to it. */
async function start(t: TestContext, options: StoreOptions = {}) {
  const server = await startB2();
  t.after(async () => {
    await server.stop();
    server.assertClean();
  });
  const bucket = server.createBucket('photos');
  const open = (info: Record<string, string> = server.masterKey): Connector => {
    const connector = openB2(parseB2Config(info), testEnv({ app: { apiUrl: server.url } }), options);
    t.after(() => connector.close());
    return connector;
  };
  return { server, bucket, open, connector: open() };
}

const write = async (connector: Connector, path: string, bytes: Uint8Array | string, more: Partial<WriteAsk> = {}) =>
  connector.write?.(path, Readable.from([Buffer.from(bytes)]), { ...ask(), ifExists: 'replace', size: Buffer.byteLength(bytes), ...more });
const textOf = async (connector: Connector, path: string): Promise<string> => (await collect(await connector.read(path, ask()))).toString();
const namesIn = async (connector: Connector, folder: string): Promise<string[]> =>
  (await Array.fromAsync(connector.list(folder, ask())))
    .flat()
    .map(({ name }) => name)
    .sort();
const patterned = (size: number): Buffer =>
  Buffer.concat(Array.from({ length: size / 1021 + 1 }, (_, index) => Buffer.alloc(1021, index % 251))).subarray(0, size);
const asked = ({ requests }: B2, operation: string): number => requests.filter((one) => one.operation === operation).length;

test('buckets are the top folders, and are not made, renamed or deleted here', async (t) => {
  const { server, connector } = await start(t);
  server.createBucket('documents');
  assert.deepEqual(await namesIn(connector, '/'), ['documents', 'photos']);
  assert.deepEqual(await namesIn(connector, '/photos'), []);
  assert.deepEqual(await connector.stat('/photos', ask()), { name: 'photos', kind: 'folder' });
  await assert.rejects(connector.stat('/nothing', ask()), { kind: 'notFound' });
  await assert.rejects(async () => connector.createFolder?.('/photos', ask()), { kind: 'alreadyExists' });
  await assert.rejects(async () => connector.createFolder?.('/new', ask()), { kind: 'unsupported' });
  await assert.rejects(write(connector, '/file', 'x'), { kind: 'unsupported' });
  await assert.rejects(async () => connector.rename?.('/photos', 'other', ask()), { kind: 'unsupported' });
  await assert.rejects(async () => connector.move?.('/photos', '/documents/photos', ask()), { kind: 'unsupported' });
  await assert.rejects(async () => connector.remove?.('/photos', ask()), { kind: 'unsupported' });
  await assert.rejects(write(connector, '/nothing/file', 'x'), { kind: 'notFound' });
});

test('files and folders go from bucket to bucket without their bytes passing through, and keep their time', async (t) => {
  const { server, connector } = await start(t);
  server.createBucket('documents');
  await connector.createFolder?.('/photos/album', ask());
  await write(connector, '/photos/album/one', '1', { modified: 1_000_000_000 });
  await connector.move?.('/photos/album', '/documents/album', ask());
  assert.deepEqual(await namesIn(connector, '/photos'), []);
  assert.equal((await connector.stat('/documents/album/one', ask())).modified, 1_000_000_000);
  await connector.copy?.('/photos', '/documents/copy of an empty bucket', ask());
  assert.deepEqual(await namesIn(connector, '/documents'), ['album', 'copy of an empty bucket']);
  assert.equal(asked(server, 'GET /file/{bucketName}/{fileName}'), 0);
});

test('a link that may not write has no method that writes [B2-22]', async (t) => {
  const { server, open, connector } = await start(t);
  await write(connector, '/photos/file', 'kept');
  const reader = open({ ...server.masterKey, allowWrite: 'DISALLOW_WRITE' });
  assert.deepEqual(capabilitiesOf(reader), ['list', 'stat', 'read']);
  assert.equal(await textOf(reader, '/photos/file'), 'kept');
});

test('a key that may only read is forbidden to write, whatever the link says', async (t) => {
  const { server, open } = await start(t);
  const key = server.addKey({ capabilities: ['listBuckets', 'listFiles', 'readFiles'] });
  const connector = open(key);
  await assert.rejects(write(connector, '/photos/file', 'x'), { kind: 'forbidden' });
  await assert.rejects(async () => connector.createFolder?.('/photos/folder', ask()), { kind: 'forbidden' });
  const completed = await completeB2(parseB2Config(key), testEnv({ app: { apiUrl: server.url } }), ask().signal);
  assert.equal(completed['allowWrite'], 'DISALLOW_WRITE');
});

test('completed connection info says whose account it is, and holds no secret that was not given', async (t) => {
  const { server } = await start(t);
  const env = testEnv({ app: { apiUrl: server.url } });
  const { accountId, applicationKey } = server.masterKey;
  const completed = await completeB2(parseB2Config({ accountId: ` ${accountId} `, applicationKey }), env, ask().signal);
  assert.deepEqual(completed, {
    accountId,
    applicationKey,
    allowWrite: 'ALLOW_WRITE',
    account: accountId,
    buckets: '',
    namePrefix: '',
    s3Endpoint: 'https://s3.us-east-005.backblazeb2.com',
  });
  const another = server.addKey({ buckets: ['photos'], namePrefix: 'album/' });
  const kept = b2.parse(await completeB2(parseB2Config(another), env, ask().signal), 'B2');
  assert.equal(b2.account(kept), 'photos');
  assert.notEqual(b2.identity(kept), b2.identity(b2.parse(completed, 'B2')));
  assert.equal(b2.identity(b2.parse({ ...completed, applicationKey: 'another' }, 'B2')), b2.identity(b2.parse(completed, 'B2')));
});

test('a wrong key id, a wrong key and a bucket that is gone are told apart', async (t) => {
  const { server } = await start(t);
  const env = testEnv({ app: { apiUrl: server.url } });
  const refusal = (info: Record<string, string>) => completeB2(parseB2Config({ ...server.masterKey, ...info }), env, ask().signal);
  await assert.rejects(refusal({ accountId: 'nobody' }), { kind: 'wrongKey' });
  await assert.rejects(refusal({ applicationKey: 'wrong' }), { kind: 'wrongSignature' });
  const gone = server.createBucket('gone');
  const key = server.addKey({ buckets: ['gone'] });
  server.state.buckets.delete(gone.id);
  await assert.rejects(refusal(key), { kind: 'noBucket' });
  for (const field of ['accountId', 'applicationKey'])
    assert.throws(() => b2.parse({ ...server.masterKey, [field]: ' ' }, 'B2'), { kind: 'badConfig', details: { field } });
  assert.throws(() => b2.parse({ ...server.masterKey, allowWrite: 'PERHAPS' }, 'B2'), { kind: 'badConfig' });
});

test('a key kept to one bucket and one beginning of names shows what leads there and nothing else', async (t) => {
  const { server, open, connector } = await start(t);
  server.createBucket('documents');
  for (const folder of ['/photos/2026', '/photos/2026/spring']) await connector.createFolder?.(folder, ask());
  for (const path of ['/photos/2026/spring/one', '/photos/2026/spring/two', '/photos/2026/other', '/photos/else'])
    await write(connector, path, 'x');
  const kept = open(server.addKey({ buckets: ['photos'], namePrefix: '2026/spring/' }));
  assert.deepEqual(await namesIn(kept, '/'), ['photos']);
  assert.deepEqual(await namesIn(kept, '/photos'), ['2026']);
  assert.deepEqual(await namesIn(kept, '/photos/2026'), ['spring']);
  assert.deepEqual(await namesIn(kept, '/photos/2026/spring'), ['one', 'two']);
  await write(kept, '/photos/2026/spring/three', 'y');
  assert.equal(await textOf(kept, '/photos/2026/spring/three'), 'y');
  await assert.rejects(write(kept, '/photos/2026/more', 'y'), { kind: 'forbidden' });
});

test('one login serves every call, and a token that ends in the middle of a listing is replaced once', async (t) => {
  const { server, connector } = await start(t, { pageSize: 10 });
  await Promise.all(Array.from({ length: 25 }, (_, index) => write(connector, `/photos/${index}`, 'x')));
  assert.equal(server.keys.lives.logins, 1);
  const found: string[] = [];
  for await (const batch of connector.list('/photos', ask())) {
    if (found.length === 0) server.keys.expireTokens();
    found.push(...batch.map(({ name }) => name));
  }
  assert.equal(new Set(found).size, 25);
  server.keys.expireTokens();
  await Promise.all(Array.from({ length: 12 }, (_, index) => textOf(connector, `/photos/${index}`)));
  assert.equal(server.keys.lives.logins, 3);
});

test('a key that is deleted while it is in use is told as such, without asking on and on', async (t) => {
  const { server, connector } = await start(t);
  await namesIn(connector, '/photos');
  server.keys.revoke(server.masterKey.accountId);
  await assert.rejects(namesIn(connector, '/photos'), { kind: 'wrongKey' });
  assert.equal(server.keys.lives.logins, 2);
});

test('a place to upload to that is gone, full or in use is replaced by another, and one that works is used again', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/photos/one', '1');
  await write(connector, '/photos/two', '2');
  assert.equal(asked(server, call('b2_get_upload_url')), 1);
  server.uploads.closePlaces();
  await write(connector, '/photos/three', '3');
  assert.equal(asked(server, call('b2_get_upload_url')), 2);
  const full = { status: 503, json: { status: 503, code: 'service_unavailable', message: 'no tomes available' } };
  server.faults.next(call('b2_upload_file/{rest}'), 2, { kind: 'reply', reply: { ...full, headers: { 'retry-after': '0' } } });
  server.faults.next(call('b2_upload_file/{rest}'), 1, { kind: 'cutUpload', afterBytes: 1 });
  await write(connector, '/photos/four', 'four');
  assert.deepEqual(await namesIn(connector, '/photos'), ['four', 'one', 'three', 'two']);
  assert.equal(await textOf(connector, '/photos/four'), 'four');
});

test('an upload that is told to wait waits as long', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/photos/one', '1');
  server.faults.next(call('b2_upload_file/{rest}'), 1, { kind: 'rateLimit', retryAfter: 1 });
  const before = performance.now();
  await write(connector, '/photos/two', '2');
  assert.ok(performance.now() - before >= 1000);
  server.faults.next(call('b2_list_file_names'), 1, { kind: 'rateLimit', retryAfter: 7 });
  await assert.rejects(namesIn(connector, '/photos'), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
});

test('caps that are reached make the account full', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/photos/file', 'x');
  server.caps.add('storage');
  await assert.rejects(write(connector, '/photos/more', 'y'), { kind: 'full' });
  server.caps.add('download');
  await assert.rejects(textOf(connector, '/photos/file'), { kind: 'full' });
});

test('bytes that change on their way are damaged in both directions, and the old file stays', async (t) => {
  const { server, connector } = await start(t, { sizes });
  await write(connector, '/photos/file', 'good');
  for (const [size, bytes] of [
    [4, Buffer.from('evil')],
    [5 * MiB + 1, patterned(5 * MiB + 1)],
    [12 * MiB, patterned(12 * MiB)],
    [undefined, patterned(12 * MiB)],
  ] as const) {
    server.uploads.corruptNext(1);
    const sent = connector.write?.('/photos/file', Readable.from([bytes]), {
      ...ask(),
      ifExists: 'replace',
      ...(size !== undefined && { size }),
    });
    await assert.rejects(async () => sent, { kind: 'damaged' }, `${size} bytes`);
  }
  assert.equal(server.state.large.size, 0);
  assert.equal(await textOf(connector, '/photos/file'), 'good');
  server.faults.next('GET /file/{bucketName}/{fileName}', 1, { kind: 'corrupt', at: 2 });
  await assert.rejects(textOf(connector, '/photos/file'), { kind: 'damaged' });
  server.faults.next('GET /file/{bucketName}/{fileName}', 1, { kind: 'cut', afterBytes: 2 });
  await assert.rejects(textOf(connector, '/photos/file'), { kind: 'interrupted' });
});

test('a long file goes in parts, each sent again when its place breaks, and is copied in parts too', async (t) => {
  const { server, connector } = await start(t, { sizes, copying: { single: 6 * MiB, part: 5 * MiB } });
  const bytes = patterned(17 * MiB + 3);
  for (const size of [bytes.length, undefined]) {
    server.faults.next(call('b2_upload_part/{rest}'), 1, { kind: 'cutUpload', afterBytes: MiB });
    const path = `/photos/${size ?? 'unknown'}`;
    const facts = { ifExists: 'replace', modified: 1_000_000_000, ...(size !== undefined && { size }) } as const;
    const entry = await connector.write?.(path, Readable.from([bytes]), { ...ask(), ...facts });
    assert.equal(entry?.size, bytes.length);
    assert.equal(entry.modified, 1_000_000_000);
    assert.ok((await collect(await connector.read(path, ask()))).equals(bytes));
  }
  await connector.copy?.('/photos/unknown', '/photos/copy', ask());
  assert.ok((await collect(await connector.read('/photos/copy', ask()))).equals(bytes));
  assert.equal((await connector.stat('/photos/copy', ask())).modified, 1_000_000_000);
  assert.equal(asked(server, call('b2_copy_part')), 4);
});

test('a body that turns out to be exactly one part long is no large file', async (t) => {
  const { server, connector } = await start(t, { sizes });
  await connector.write?.('/photos/file', Readable.from([patterned(5 * MiB)]), { ...ask(), ifExists: 'replace' });
  assert.equal((await connector.stat('/photos/file', ask())).size, 5 * MiB);
  assert.equal(asked(server, call('b2_start_large_file')), 0);
});

test('a long upload that fails is given up at B2', async (t) => {
  const { server, connector } = await start(t, { sizes });
  const broken = { status: 400, json: { status: 400, code: 'cap_exceeded', message: '' } };
  server.faults.next(call('b2_finish_large_file'), 1, { kind: 'reply', reply: broken });
  await assert.rejects(write(connector, '/photos/file', patterned(12 * MiB)), { kind: 'full' });
  assert.equal(server.state.large.size, 0);
  assert.deepEqual(await namesIn(connector, '/photos'), []);
});

test('of two writers that must not replace the first one stays', async (t) => {
  const { bucket, server, connector } = await start(t);
  const both = await Promise.allSettled(['one', 'two'].map((text) => write(connector, '/photos/file', text, { ifExists: 'fail' })));
  const kept = await textOf(connector, '/photos/file');
  const outcome = both.map(({ status }) => status);
  assert.equal(outcome.filter((status) => status === 'fulfilled').length, 1, outcome.join());
  assert.equal(kept, outcome[0] === 'fulfilled' ? 'one' : 'two');
  assert.equal(bucket.versions.get('file')?.length, 1);
  await connector.remove?.('/photos/file', ask());
  await write(connector, '/photos/file', 'three', { ifExists: 'fail' });
  assert.equal(await textOf(connector, '/photos/file'), 'three');
  assert.equal(server.state.current(bucket, 'file')?.action, 'upload');
});

test('what is deleted or replaced stays with B2 as an older version', async (t) => {
  const { bucket, connector } = await start(t);
  await write(connector, '/photos/file', 'first');
  await write(connector, '/photos/file', 'second');
  await connector.remove?.('/photos/file', ask());
  assert.deepEqual(
    bucket.versions.get('file')?.map(({ action }) => action),
    ['hide', 'upload', 'upload'],
  );
});

test('files of other programs are shown: folders without a keeper, names with dots, and the keepers are not', async (t) => {
  const { server, bucket, connector } = await start(t);
  const put = (fileName: string, text: string) => {
    const content = server.contents.of(text);
    const facts = { contentSha1: content.hashes.sha1, contentType: 'text/plain', fileInfo: {}, uploadTimestamp: server.state.now() };
    server.state.add(bucket, { fileId: randomUUID(), fileName, action: 'upload', content, ...facts });
  };
  for (const name of ['folder/inside', 'kept/.bzEmpty', '.bzEmpty', '../up', 'a/./b', 'twin', 'twin/inside']) put(name, name);
  assert.deepEqual(await namesIn(connector, '/photos'), ['a', 'folder', 'kept', 'twin', '\u241b..', '\u241b:twin'].sort());
  assert.deepEqual(await namesIn(connector, '/photos/kept'), []);
  assert.equal(await textOf(connector, '/photos/\u241b../up'), '../up');
  assert.equal(await textOf(connector, '/photos/a/\u241b./b'), 'a/./b');
  assert.equal(await textOf(connector, '/photos/\u241b:twin/inside'), 'twin/inside');
  await assert.rejects(connector.stat('/photos/kept/.bzEmpty', ask()), { kind: 'notFound' });
  await assert.rejects(write(connector, '/photos/kept/.bzEmpty', 'x'), { kind: 'badName' });
});

test('5,000 names come page by page, each once', async (t) => {
  const { server, bucket, connector } = await start(t);
  const content = server.contents.of('x');
  const facts = { contentSha1: content.hashes.sha1, contentType: 'text/plain', fileInfo: {}, content, action: 'upload' as const };
  for (let index = 0; index < 5000; index++)
    server.state.add(bucket, { ...facts, fileId: `id ${index}`, fileName: `name ${index}`, uploadTimestamp: server.state.now() });
  assert.equal(new Set(await namesIn(connector, '/photos')).size, 5000);
  assert.equal(asked(server, call('b2_list_file_names')), 5);
});
