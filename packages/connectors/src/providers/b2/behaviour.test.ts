import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testEnv } from '../../conformance/env.ts';
import { capabilitiesOf } from '../../core/operations.ts';
import { parseB2Config } from './config.ts';
import { completeB2 } from './connector.ts';
import { b2 } from './index.ts';
import { ask, asked, call, namesIn, start, textOf, write } from './testing/link.ts';

test('buckets are the top folders, and cannot be created, renamed or deleted here', async (t) => {
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

test('files and folders are moved between buckets without passing through Sheaf, and keep their time', async (t) => {
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

test('a read-only link has no method that writes [B2-22]', async (t) => {
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

test('completed connection info contains the account, and no secret that was not entered', async (t) => {
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

test('a wrong key id, a wrong key and a missing bucket are distinguished', async (t) => {
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

test('a key limited to one bucket and prefix shows only the folders that lead there', async (t) => {
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

test('all calls share one login, and a token that expires in the middle of a listing is replaced once', async (t) => {
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

test('a key deleted while in use is reported as such, without endless retries', async (t) => {
  const { server, connector } = await start(t);
  await namesIn(connector, '/photos');
  server.keys.revoke(server.masterKey.accountId);
  await assert.rejects(namesIn(connector, '/photos'), { kind: 'wrongKey' });
  assert.equal(server.keys.lives.logins, 2);
});

test('files of other programs are shown: folders without a marker, and names with dots, which cannot be opened; markers are not', async (t) => {
  const { server, bucket, connector } = await start(t);
  const put = (fileName: string, text: string) => {
    const content = server.contents.of(text);
    const facts = { contentSha1: content.hashes.sha1, contentType: 'text/plain', fileInfo: {}, uploadTimestamp: server.state.now() };
    server.state.add(bucket, { fileId: randomUUID(), fileName, action: 'upload', content, ...facts });
  };
  for (const name of ['folder/inside', 'kept/.bzEmpty', '.bzEmpty', '../up', 'a/./b', 'twin', 'twin/inside']) put(name, name);
  assert.deepEqual(await namesIn(connector, '/photos'), ['a', 'folder', 'kept', 'twin', '\u241b..', '\u241b:twin'].sort());
  assert.deepEqual(await namesIn(connector, '/photos/kept'), []);
  for (const path of ['/photos/\u241b../up', '/photos/a/\u241b./b'])
    await assert.rejects(textOf(connector, path), { kind: 'badName' }, path);
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

test('a listing continues although B2 is busy between two pages', async (t) => {
  const { server, connector } = await start(t, { pageSize: 1 });
  for (const name of ['a', 'b', 'c']) await write(connector, `/photos/${name}`, 'x');
  server.faults.next(call('b2_list_file_names'), 1, { kind: 'slow', ms: 0 });
  server.faults.next(call('b2_list_file_names'), 1, { kind: 'rateLimit', retryAfter: 0 });
  assert.deepEqual(await namesIn(connector, '/photos'), ['a', 'b', 'c']);
});
