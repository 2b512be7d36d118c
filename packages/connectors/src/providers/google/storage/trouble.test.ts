import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { directoryStructures } from '@sheaf/contract';
import { ask, bytesOf, namesIn, smallSizes, startCloudTest, textOf, write } from './testing/bucket.ts';

const KiB = 1024;
const media = /alt=media/;
const upload = /^PUT \/upload/;

describe('failures of Google Cloud Storage', () => {
  const { cloud, envOf, open, newBucket } = startCloudTest();
  const large = randomBytes(1000 * KiB);

  test('5,000 objects come in five pages, and a token that ends between two of them is renewed once', async () => {
    const bucketName = newBucket();
    for (let index = 0; index < 5000; index++) cloud().putObject(bucketName, `entry ${index}`, '');
    const connector = open({ bucketName });
    const before = cloud().requests.length;
    const refreshes = cloud().oauth.refreshes();
    const reply = { status: 401, json: { error: { code: 401, message: 'Invalid Credentials', errors: [{ reason: 'authError' }] } } };
    cloud().faults.next(/pageToken=/, 1, { kind: 'reply', reply });
    assert.equal((await namesIn(connector, '/')).length, 5000);
    assert.equal(cloud().oauth.refreshes(), refreshes + 1);
    const listings = cloud()
      .requests.slice(before)
      .filter(({ operation }) => operation === 'GET /storage/v1/b/{bucket}/o');
    assert.equal(listings.length, 6);
  });

  test('folders and files with equal beginnings stay separate across pages', async () => {
    const bucketName = newBucket();
    const keys = ['a', 'a/1', 'a/2', 'a b', 'a!/x', 'a0', 'b/1', 'b/2', 'b/3', 'c', '\u{1F600}/x', '\uFFFD'];
    for (const key of keys) cloud().putObject(bucketName, key, '');
    for (const pageSize of [1, 2, 3, 5]) {
      const names = await namesIn(open({ bucketName }, envOf(), { pageSize }), '/');
      assert.deepEqual(names, ['a', '\u241b:a', 'a b', 'a!', 'a0', 'b', 'c', '\u{1F600}', '\uFFFD'].sort(), `pages of ${pageSize}`);
    }
  });

  test('a listing continues although the service is busy between two pages', async () => {
    const bucketName = newBucket();
    for (const key of ['a', 'b', 'c']) cloud().putObject(bucketName, key, '');
    cloud().faults.next(/pageToken=/, 1, { kind: 'rateLimit', retryAfter: 0 });
    assert.deepEqual(await namesIn(open({ bucketName }, envOf(), { pageSize: 1 }), '/'), ['a', 'b', 'c']);
  });

  test('a rate limit is reported with the requested wait', async () => {
    const connector = open({ bucketName: newBucket() });
    cloud().faults.next('GET /storage/v1/b/{bucket}/o', 1, { kind: 'rateLimit', retryAfter: 3 });
    await assert.rejects(namesIn(connector, '/'), { kind: 'rateLimited', retryable: true, retryAfter: 3000 });
  });

  for (const [what, prepare] of [
    ['a piece that is cut', () => cloud().faults.next(upload, 1, { kind: 'cutUpload', afterBytes: 100 * KiB })],
    ['an answer that is lost in the midst', () => cloud().faults.next(upload, 1, { kind: 'lost' })],
    ['a piece of which only a part was taken', () => cloud().uploads.keepOnly(0)],
  ] as const)
    for (const size of [large.length, undefined])
      test(`an upload of ${size === undefined ? 'unknown' : 'known'} length survives ${what}`, async () => {
        const connector = open({ bucketName: newBucket() }, envOf(), { sizes: smallSizes });
        prepare();
        assert.equal((await write(connector, '/file', Readable.from([large]), size === undefined ? {} : { size })).size, large.length);
        assert.ok((await bytesOf(connector, '/file')).equals(large));
        assert.equal(cloud().uploads.openSessions(), 0);
      });

  test('an upload whose last response is lost is stored, once', async () => {
    const connector = open({ bucketName: newBucket() }, envOf(), { sizes: smallSizes });
    const pieces = Math.ceil(large.length / smallSizes.chunk);
    for (let piece = 1; piece < pieces; piece++) cloud().faults.next(upload, 1, { kind: 'slow', ms: 0 });
    cloud().faults.next(upload, 1, { kind: 'lost' });
    const entry = await write(connector, '/file', Readable.from([large]), { size: large.length });
    assert.equal((await connector.stat('/file', ask())).etag, entry.etag);
  });

  test('a body of unknown length that ends with a piece is finished by a separate request', async () => {
    const connector = open({ bucketName: newBucket() }, envOf(), { sizes: smallSizes });
    const even = large.subarray(0, 2 * smallSizes.chunk);
    assert.equal((await write(connector, '/even', Readable.from([even]))).size, even.length);
    assert.ok((await bytesOf(connector, '/even')).equals(even));
  });

  for (const sizes of [undefined, smallSizes])
    test(`bytes damaged in transit ${sizes ? 'through a session' : 'in one request'} are refused by the service, and the old object stays`, async () => {
      const connector = open({ bucketName: newBucket() }, envOf(), sizes ? { sizes } : {});
      await write(connector, '/old', 'good');
      for (const name of ['old', 'new'])
        for (const size of [large.length, undefined]) {
          cloud().uploads.damage();
          const body = Readable.from([large]);
          await assert.rejects(write(connector, `/${name}`, body, size === undefined ? {} : { size }), { kind: 'damaged' });
        }
      assert.equal(await textOf(connector, '/old'), 'good');
      assert.deepEqual(await namesIn(connector, '/'), ['old']);
    });

  test('an incomplete download is interrupted; one with a wrong byte is damaged, also by CRC-32C where there is no MD5', async () => {
    const bucketName = newBucket();
    const connector = open({ bucketName });
    cloud().putObject(bucketName, 'plain', large);
    cloud().putObject(bucketName, 'composed', large, { isComposed: true });
    for (const path of ['/plain', '/composed']) {
      cloud().faults.next(media, 1, { kind: 'cut', afterBytes: 500 * KiB });
      await assert.rejects(bytesOf(connector, path), { kind: 'interrupted' });
      cloud().faults.next(media, 1, { kind: 'corrupt', at: 12_345 });
      await assert.rejects(bytesOf(connector, path), { kind: 'damaged' });
      assert.ok((await bytesOf(connector, path)).equals(large));
    }
  });

  test('a compressed object is returned as stored, with the size that listings report', async () => {
    const bucketName = newBucket();
    const compressed = gzipSync('many words '.repeat(1000));
    cloud().putObject(bucketName, 'page.html', compressed, { contentEncoding: 'gzip' });
    const connector = open({ bucketName });
    assert.equal((await connector.stat('/page.html', ask())).size, compressed.length);
    assert.ok((await bytesOf(connector, '/page.html')).equals(compressed));
  });

  test('of two writers that must not replace one wins, by a precondition of the service', async () => {
    const bucketName = newBucket();
    const [one, other] = [open({ bucketName }), open({ bucketName }, envOf(), { sizes: smallSizes })];
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.allSettled([
        write(one, `/file ${round}`, large, { ifExists: 'fail' }),
        write(other, `/file ${round}`, large, { ifExists: 'fail' }),
      ]);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as { kind?: string }).kind] : []));
      assert.deepEqual(refused, ['alreadyExists']);
    }
    assert.equal(cloud().uploads.openSessions(), 0);
  });

  test('files and folders are moved once, although the response to a copy is lost or the service is busy', async () => {
    const bucketName = newBucket();
    const connector = open({ bucketName });
    for (const key of ['file', 'album/1', 'album/2', 'album/3']) cloud().putObject(bucketName, key, key);
    const copying = /POST .*\/rewriteTo\//;
    for (const [from, to] of [
      ['/file', 'moved'],
      ['/album', 'renamed'],
    ] as const) {
      cloud().faults.next(copying, 1, { kind: 'lost' });
      cloud().faults.next(copying, 1, { kind: 'rateLimit', retryAfter: 0 });
      await connector.rename?.(from, to, ask());
    }
    assert.deepEqual(await namesIn(connector, '/'), ['moved', 'renamed']);
    assert.deepEqual(await namesIn(connector, '/renamed'), ['1', '2', '3']);
    cloud().putObject(bucketName, 'other', 'somebody else has this name');
    cloud().faults.next(copying, 1, { kind: 'slow', ms: 0 });
    await assert.rejects(async () => connector.copy?.('/moved', '/other', ask()), { kind: 'alreadyExists' });
  });

  test('a copy that the service makes in several steps is awaited', async () => {
    const connector = open({ bucketName: newBucket(), directoryStructure: directoryStructures.enhanced });
    await write(connector, '/long', large, { modified: 1_000_000_000 });
    cloud().rewritePerCall(300 * KiB);
    await connector.copy?.('/long', '/copy', ask());
    cloud().rewritePerCall(1024 ** 3);
    assert.ok((await bytesOf(connector, '/copy')).equals(large));
    assert.equal((await connector.stat('/copy', ask())).modified, 1_000_000_000);
    const body = await connector.read('/copy', ask());
    body.cancel();
    assert.equal(body.entry.modified, 1_000_000_000);
  });

  test('impossible object names are refused before anything is sent, and nothing exists below them', async () => {
    const connector = open({ bucketName: newBucket() });
    for (const name of ['␛..', '␛.', 'line\nbreak', 'x'.repeat(1025)]) {
      await assert.rejects(write(connector, `/${name}`, 'x'), { kind: 'badName' });
      await assert.rejects(connector.stat(`/${name}`, ask()), { kind: name.startsWith('␛') ? 'badName' : 'notFound' });
    }
    assert.deepEqual(await namesIn(connector, '/'), []);
  });
});
