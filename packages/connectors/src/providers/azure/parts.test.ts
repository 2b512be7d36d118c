import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startAzurite } from '@sheaf/testbed';
import { resumableUploadsOf } from '../../core/operations.ts';
import { collect } from '../../kit/body/body.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseAzureConfig } from './config.ts';
import { openAzure } from './connector.ts';

const partSize = 1024 * 1024;
const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const bytes = Buffer.alloc(partSize + 10, 'abc');
const call = () => ({ ...ask(), size: bytes.length, ifExists: 'replace' as const });

async function begin(t: TestContext) {
  const azurite = await startAzurite();
  const bucketName = randomUUID();
  await azurite.createContainer(bucketName);
  const info = { host: azurite.endpoint, bucketName, key: azurite.account, secret: azurite.key };
  const connector = openAzure(parseAzureConfig(info), { dialer: createDialer({ privateNetworks: 'allow' }) }, { usualPart: partSize });
  t.after(async () => {
    await connector.close();
    await azurite.stop();
  });
  const uploads = resumableUploadsOf(connector) ?? assert.fail();
  const { session, expires = 0 } = await uploads.beginUpload('/file', call());
  const sendAll = async (to = session) => {
    const parts = [];
    for (const offset of [0, partSize]) {
      const part = bytes.subarray(offset, offset + partSize);
      const receipt = await uploads.sendPart('/file', Readable.from([part]), { ...ask(), session: to, offset, size: part.length });
      parts.push({ offset, size: part.length, receipt });
    }
    return parts;
  };
  return { connector, uploads, session, expires, sendAll };
}

test('an upload whose blocks were discarded by the commit of another one is unknown, and the blob stays', async (t) => {
  const { connector, uploads, session, sendAll } = await begin(t);
  const parts = await sendAll();
  const other = await uploads.beginUpload('/file', call());
  const others = await sendAll(other.session);
  const { entry } = await uploads.finishUpload('/file', { ...call(), session: other.session, parts: others, hashes: {} });
  await assert.rejects(uploads.uploadState('/file', { ...ask(), session }), { kind: 'notFound' });
  await assert.rejects(uploads.finishUpload('/file', { ...call(), session, parts, hashes: {} }), { kind: 'notFound' });
  await uploads.abandonUpload('/file', { ...ask(), session });
  assert.equal((await connector.stat('/file', ask())).etag, entry.etag);
});

test('two uploads to one blob do not mix', async (t) => {
  const { connector, uploads, session, sendAll } = await begin(t);
  const other = await uploads.beginUpload('/file', call());
  const parts = await sendAll();
  const others = await sendAll(other.session);
  await uploads.abandonUpload('/file', { ...ask(), session: other.session });
  assert.deepEqual(await uploads.uploadState('/file', { ...ask(), session }), { parts });
  await assert.rejects(uploads.uploadState('/file', { ...ask(), session: other.session }), { kind: 'notFound' });
  await uploads.finishUpload('/file', { ...call(), session, parts, hashes: {} });
  const late = { ...call(), ifExists: 'fail' as const, session: other.session, parts: others, hashes: {} };
  await assert.rejects(uploads.finishUpload('/file', late), { kind: 'alreadyExists' });
  await assert.rejects(uploads.finishUpload('/file', { ...late, session, parts }), { kind: 'notFound' });
  assert.ok((await collect(await connector.read('/file', ask()))).equals(bytes));
});

test('the MD5 of the bytes sent is stored with a blob of blocks, and does not verify the upload', async (t) => {
  const { connector, uploads, session, expires, sendAll } = await begin(t);
  const days = (expires - Date.now() / 1000) / 86_400;
  assert.ok(days > 6.9 && days < 7.1);
  const md5 = createHash('md5').update(bytes).digest('hex');
  const { entry } = await uploads.finishUpload('/file', { ...call(), session, parts: await sendAll(), hashes: { md5 } });
  assert.equal(entry.hashes, undefined);
  assert.deepEqual((await connector.stat('/file', ask())).hashes, { md5 });
  const part = await connector.read('/file', { ...ask(), range: { start: 3, end: 9 } });
  part.cancel();
  assert.deepEqual(part.entry.hashes, { md5 });
});
