import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { notebook } from '../../../conformance/leftovers.ts';
import { resumableUploadsOf } from '../../../core/operations.ts';
import { createDialer } from '../../../kit/net/dialer.ts';
import { parseS3Config } from '../config.ts';
import { openS3 } from '../connector.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const md5 = (bytes: Uint8Array | string): string => createHash('md5').update(bytes).digest('hex');
const partSize = 1000;

/** A service with one bucket that keeps one multipart upload; `damages` the next part. */
async function startService(t: TestContext, objectHeaders: Readonly<Record<string, string>> = {}, provider = 'S3') {
  const parts = new Map<number, Buffer>();
  const plan = { damages: false, whole: undefined as Buffer | undefined, etag: '', aborted: 0, pages: 0 };
  const listParts = (from: number) => {
    plan.pages += 1;
    const next = [...parts].sort(([a], [b]) => a - b).find(([number]) => number > from);
    const listed = next
      ? `<Part><PartNumber>${next[0]}</PartNumber><ETag>"${md5(next[1])}"</ETag><Size>${next[1].length}</Size></Part><NextPartNumberMarker>${next[0]}</NextPartNumberMarker>`
      : '';
    return `<ListPartsResult><IsTruncated>${next !== undefined}</IsTruncated>${listed}</ListPartsResult>`;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://service');
    const bytes = await buffer(request);
    const query = url.searchParams;
    if (request.method === 'POST' && query.has('uploads')) response.end('<R><UploadId>up</UploadId></R>');
    else if (request.method === 'GET' && query.get('uploadId') === 'up') response.end(listParts(Number(query.get('part-number-marker'))));
    else if (request.method === 'PUT' && query.has('partNumber')) {
      const stored = Buffer.from(bytes);
      if (plan.damages) stored.writeUInt8(stored.readUInt8(0) ^ 1, 0);
      plan.damages = false;
      parts.set(Number(query.get('partNumber')), stored);
      response.setHeader('etag', `"${md5(stored)}"`).end();
    } else if (request.method === 'POST') {
      const stored = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
      plan.whole = Buffer.concat(stored);
      plan.etag = `${md5(Buffer.from(stored.map(md5).join(''), 'hex'))}-${stored.length}`;
      response.end(`<R><ETag>"${plan.etag}"</ETag></R>`);
    } else if (request.method === 'DELETE') {
      plan.aborted += 1;
      response.writeHead(204).end();
    } else if (request.method === 'HEAD' && plan.whole) {
      const checked = request.headers['x-amz-checksum-mode'] === 'ENABLED' ? objectHeaders : {};
      response.writeHead(200, { 'content-length': plan.whole.length, etag: `"${plan.etag}"`, ...checked }).end();
    } else if (request.method === 'HEAD') response.writeHead(404).end();
    else response.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = parseS3Config({ host, bucketName: 'photos', key: 'AKID', secret: 'secret', region: 'us-east-1' }, provider);
  const { notes, leftovers } = notebook();
  const dialer = createDialer({ privateNetworks: 'allow' });
  const env = { dialer, leftovers, recall: async () => undefined, remember: async () => undefined };
  const connector = openS3(config, env, { usualPart: partSize });
  t.after(async () => {
    await connector.close();
    server.closeAllConnections();
    server.close();
  });
  return { plan, notes, connector, uploads: resumableUploadsOf(connector) ?? assert.fail() };
}

const bytes = Buffer.alloc(1024 * 1024 + 5, 'abc');
const call = () => ({ ...ask(), size: bytes.length, ifExists: 'replace' as const });

/** Sends every part of an upload. */
async function sendAll({ uploads }: Awaited<ReturnType<typeof startService>>, session: string, size: number) {
  const parts = [];
  for (let offset = 0; offset < bytes.length; offset += size) {
    const part = bytes.subarray(offset, offset + size);
    const receipt = await uploads.sendPart('/file', Readable.from([part]), { ...ask(), session, offset, size: part.length });
    parts.push({ offset, size: part.length, receipt });
  }
  return parts;
}

test('an upload has a note until its session is stored or it is cancelled', async (t) => {
  const { uploads, notes, connector, plan } = await startService(t);
  const upload = await uploads.beginUpload('/file', call());
  assert.deepEqual(notes, [{ text: '["file","up"]', end: undefined }]);
  await connector.clearUp?.(notes[0]?.text ?? '', ask());
  assert.equal(plan.aborted, 1);
  upload.kept();
  assert.equal(notes[0]?.end, 'gone');
});

test("the etag of an object in parts is compared with those of the parts, and Amazon's checksum with the bytes sent", async (t) => {
  const crc64nvme = '0123456789abcdef';
  const checksum = { 'x-amz-checksum-crc64nvme': Buffer.from(crc64nvme, 'hex').toString('base64'), 'x-amz-checksum-type': 'FULL_OBJECT' };
  const service = await startService(t, checksum);
  const { session, partSize: size } = await service.uploads.beginUpload('/file', call());
  const parts = await sendAll(service, session, size);
  assert.equal(parts.length, 2);
  const { entry, proof } = await service.uploads.finishUpload('/file', { ...call(), session, parts, hashes: { crc64nvme } });
  assert.deepEqual(proof, { algorithm: 's3-multipart-md5', computed: service.plan.etag, stored: service.plan.etag });
  assert.deepEqual(entry.hashes, { crc64nvme });
  const other = { ...call(), session, parts, hashes: { crc64nvme: '0'.repeat(16) } };
  await assert.rejects(service.uploads.finishUpload('/file', other), { kind: 'damaged' });
});

test('checksums of parts, and etags of encrypted objects, are not treated as hashes of the file', async (t) => {
  const composite = await startService(t, { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-type': 'COMPOSITE' });
  Object.assign(composite.plan, { whole: bytes, etag: `${md5('x')}-2` });
  assert.equal((await composite.connector.stat('/file', ask())).hashes, undefined);
  const encrypted = await startService(t, { 'x-amz-server-side-encryption': 'aws:kms' });
  Object.assign(encrypted.plan, { whole: bytes, etag: md5('x') });
  assert.equal((await encrypted.connector.stat('/file', ask())).hashes, undefined);
  const plain = await startService(t, { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' });
  Object.assign(plain.plan, { whole: bytes, etag: md5(bytes) });
  assert.deepEqual((await plain.connector.stat('/file', ask())).hashes, { md5: md5(bytes), crc64nvme: '0'.repeat(16) });
});

test('a damaged part creates no file', async (t) => {
  const service = await startService(t);
  const { session, partSize: size } = await service.uploads.beginUpload('/file', call());
  service.plan.damages = true;
  const parts = await sendAll(service, session, size);
  await assert.rejects(service.uploads.finishUpload('/file', { ...call(), session, parts, hashes: {} }), { kind: 'damaged' });
  assert.equal(service.plan.whole, undefined);
});

test('the stored parts are listed page by page, and an upload without all of them is not finished', async (t) => {
  const service = await startService(t);
  const { session, partSize: size } = await service.uploads.beginUpload('/file', call());
  const parts = await sendAll(service, session, size);
  assert.deepEqual(await service.uploads.uploadState('/file', { ...ask(), session }), { parts });
  assert.equal(service.plan.pages, parts.length + 1);
  const short = { ...call(), session, parts: parts.slice(1), hashes: {} };
  await assert.rejects(service.uploads.finishUpload('/file', short), { kind: 'sizeDiffers' });
  assert.equal(service.plan.whole, undefined);
  await assert.rejects(service.uploads.uploadState('/file', { ...ask(), session: '{}' }), { kind: 'notFound' });
});
