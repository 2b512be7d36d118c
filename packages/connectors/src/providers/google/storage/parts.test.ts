import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { resumableUploadsOf } from '../../../core/operations.ts';
import { namedHash } from '../../../kit/hash/named-hash.ts';
import { ask, bytesOf, namesIn, startCloudTest, textOf, write } from './testing/bucket.ts';

const KiB = 1024;
const usualPart = 512 * KiB;
const bytes = randomBytes(2 * usualPart + 300 * KiB);
const call = (size = bytes.length) => ({ ...ask(), size, ifExists: 'replace' as const });
const sessionUrl = /^PUT \/upload/;

describe('Uploads in parts to Google Cloud Storage', () => {
  const { cloud, envOf, open, newBucket } = startCloudTest();

  async function begin(size = bytes.length) {
    const bucketName = newBucket();
    const connector = open({ bucketName }, envOf(), { usualPart });
    await write(connector, '/file', 'the old one');
    const uploads = resumableUploadsOf(connector) ?? assert.fail();
    const { session } = await uploads.beginUpload('/file', call(size));
    const where = async () => uploads.uploadState('/file', { ...ask(), session });
    const send = async (offset: number, end = Math.min(size, offset + usualPart)) =>
      uploads.sendPart('/file', Readable.from([bytes.subarray(offset, end)]), { ...ask(), session, offset, size: end - offset });
    const sendRest = async () => {
      for (let state = await where(); 'offset' in state && state.offset < size; state = await where())
        await send(state.offset, Math.min(size, state.offset - (state.offset % usualPart) + usualPart));
    };
    const finish = async (hashes = {}) => uploads.finishUpload('/file', { ...call(size), session, parts: [], hashes });
    const objects = () => cloud().buckets.get(bucketName)?.objects.names() ?? [];
    return { connector, uploads, session, where, send, sendRest, finish, objects };
  }

  test('a part whose connection breaks continues from the last stored block', async () => {
    const { connector, where, send, sendRest, finish, objects } = await begin();
    await send(0);
    cloud().faults.next(sessionUrl, 1, { kind: 'cutUpload', afterBytes: 300 * KiB });
    await assert.rejects(send(usualPart));
    assert.deepEqual(await where(), { offset: usualPart + 256 * KiB });
    await sendRest();
    assert.deepEqual(await namesIn(connector, '/'), ['file']);
    assert.equal(objects().length, 2);
    await finish();
    assert.ok((await bytesOf(connector, '/file')).equals(bytes));
    assert.deepEqual(objects(), ['file']);
  });

  test('a request for the progress of an upload of whole blocks does not end it', async () => {
    const { connector, where, sendRest, finish } = await begin(2 * usualPart);
    await sendRest();
    assert.deepEqual(await where(), { offset: 2 * usualPart });
    assert.equal(await textOf(connector, '/file'), 'the old one');
    assert.equal((await finish()).entry.size, 2 * usualPart);
  });

  test('bytes that were damaged in transit replace nothing', async () => {
    const { connector, sendRest, finish } = await begin();
    await sendRest();
    cloud().uploads.damage();
    const hash = namedHash('crc32c');
    void hash.update(bytes);
    await assert.rejects(finish({ crc32c: hash.digest() }), { kind: 'damaged' });
    assert.equal(await textOf(connector, '/file'), 'the old one');
  });

  test('an upload whose last response is lost is finished', async () => {
    const { connector, sendRest, finish, objects } = await begin();
    await sendRest();
    cloud().faults.next(/^PUT \/upload/, 1, { kind: 'slow', ms: 0 });
    cloud().faults.next(sessionUrl, 1, { kind: 'lost' });
    assert.equal((await finish()).entry.size, bytes.length);
    assert.ok((await bytesOf(connector, '/file')).equals(bytes));
    assert.deepEqual(objects(), ['file']);
  });

  test('an expired session is unknown, and cancelling it deletes the last bytes that were held back', async () => {
    const { uploads, session, where, send, sendRest, finish, objects } = await begin();
    await sendRest();
    cloud().uploads.forget();
    await assert.rejects(where(), { kind: 'notFound' });
    await assert.rejects(send(0), { kind: 'notFound' });
    await assert.rejects(finish(), { kind: 'notFound' });
    await uploads.abandonUpload('/file', { ...ask(), session });
    assert.deepEqual(objects(), ['file']);
  });

  test('users who may not delete objects upload in one piece', async () => {
    const { uploads } = await begin();
    const json = { error: { code: 403, message: 'no storage.objects.delete access', errors: [{ reason: 'forbidden' }] } };
    cloud().faults.next(/^DELETE/, 1, { kind: 'reply', reply: { status: 403, json } });
    await assert.rejects(uploads.beginUpload('/file', call()), { kind: 'unsupported' });
  });

  test('a composed object has no MD5', async () => {
    const bucketName = newBucket();
    cloud().putObject(bucketName, 'composed', 'x', { isComposed: true });
    const { hashes } = await open({ bucketName }).stat('/composed', ask());
    assert.deepEqual(Object.keys(hashes ?? {}), ['crc32c']);
  });
});
