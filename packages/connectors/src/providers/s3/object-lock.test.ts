import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { directoryStructures } from '@sheaf/contract';
import type { WriteOptions } from '../../core/connector.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseS3Config } from './config.ts';
import { openS3 } from './connector.ts';
import type { StoreOptions } from './store.ts';

const ask = () => ({ signal: AbortSignal.timeout(10_000) });
const KiB = 1024;
const sizes = { single: 64 * KiB, knownPart: 64 * KiB, unknownPart: 16 * KiB, mostParts: 10_000 };

type Asked = { readonly size: number | undefined; readonly ifExists?: WriteOptions['ifExists'] };

/** A bucket with Object Lock and a default retention: it refuses uploads without an MD5 or with a wrong one. */
async function startBucket(t: TestContext, { knowsExpect = true, isLocked = true } = {}) {
  const held = new Map<string, Buffer>();
  const parts = new Map<string, Buffer>();
  const log: string[] = [];
  const refuse = (response: ServerResponse, code: string, message: string) =>
    response.writeHead(400).end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
    const part = searchParams.get('partNumber');
    const digest = headers['content-md5'];
    const what = `${method} ${pathname}${part === null ? '' : ` part ${part}`}${digest === undefined ? '' : ' with MD5'}`;
    if (method !== 'GET' && method !== 'HEAD') log.push(what);
    const isUpload = method === 'PUT';
    if (isUpload && isLocked && digest === undefined) {
      if (!knowsExpect) await buffer(request);
      const kind = part === null ? 'Object' : 'Part';
      refuse(
        response,
        'InvalidRequest',
        `Content-MD5 OR x-amz-checksum- HTTP header is required for Put ${kind} requests with Object Lock parameters`,
      );
      return;
    }
    if (headers.expect !== undefined && knowsExpect) response.writeContinue();
    const body = await buffer(request);
    if (digest !== undefined && createHash('md5').update(body).digest('base64') !== digest)
      refuse(response, 'BadDigest', 'not these bytes');
    else if (isUpload) (part === null ? held : parts).set(part ?? pathname, body);
    else if (method === 'DELETE') parts.clear();
    else if (method === 'POST' && searchParams.has('uploadId')) held.set(pathname, Buffer.concat([...parts.values()]));
    const isMissing = method === 'HEAD' && !held.has(pathname);
    const text = method === 'POST' ? '<Result><UploadId>1</UploadId><ETag>"2"</ETag></Result>' : '<ListBucketResult></ListBucketResult>';
    if (!response.headersSent) response.writeHead(isMissing ? 404 : 200, { etag: '"1"' }).end(method === 'HEAD' ? undefined : text);
  };

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => void answer(request, response));
  await once(server, 'listening');
  const facts = new Map<string, string>([['region', 'us-east-1']]);
  const open = (options: StoreOptions = { sizes }) => {
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const info = { host, bucketName: 'locked', key: 'AKID', secret: 'secret', directoryStructure: directoryStructures.simple };
    const connector = openS3(
      parseS3Config(info, 'S3Compat'),
      {
        dialer: createDialer({ privateNetworks: 'allow' }),
        recall: async (fact) => facts.get(fact),
        remember: async (fact, value) => void facts.set(fact, value),
      },
      options,
    );
    t.after(() => connector.close());
    return async (path: string, bytes: Buffer, { size, ifExists = 'replace' }: Asked = { size: bytes.length }) =>
      connector.write?.(path, Readable.from([bytes]), { ...ask(), ifExists, ...(size !== undefined && { size }) });
  };
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const taken = () => log.splice(0);
  return { held: (path: string) => held.get(`/locked${path}`), open, taken, parts };
}

const bytesOf = (length: number) => Buffer.from(Array.from({ length }, (_, index) => (index * 7) % 251));

test('a bucket that refuses an upload without an MD5 gets it again with one, and every later upload of the link has one', async (t) => {
  const { open, held, taken } = await startBucket(t);
  const bytes = bytesOf(1000);
  await open()('/first', bytes);
  assert.deepEqual(taken(), ['PUT /locked/first', 'PUT /locked/first with MD5']);
  await open()('/second', bytes, { size: bytes.length, ifExists: 'fail' });
  assert.deepEqual(taken(), ['PUT /locked/second with MD5']);
  assert.ok(held('/first')?.equals(bytes) && held('/second')?.equals(bytes));
});

test('a large body goes to such a bucket in parts, each with its MD5, of known or unknown length', async (t) => {
  const bytes = bytesOf(100 * KiB);
  const begin = 'POST /locked/big';
  const first = 'PUT /locked/big part 1';
  const digested = Array.from({ length: 7 }, (_, index) => `PUT /locked/big part ${index + 1} with MD5`);
  for (const [known, expected] of [
    // A streamed part has not been read yet: the upload restarts.
    [{ size: bytes.length }, [begin, first, 'DELETE /locked/big', begin, ...digested, begin]],
    // A part in memory is sent again.
    [{ size: undefined }, [begin, first, ...digested, begin]],
  ] as const) {
    const { open, held, taken } = await startBucket(t);
    await open()('/big', bytes, known);
    assert.deepEqual(taken(), expected);
    assert.ok(held('/big')?.equals(bytes));
  }
});

test('a body of another length than announced changes nothing in such a bucket', async (t) => {
  const { open, held, parts } = await startBucket(t);
  const write = open();
  await write('/file', bytesOf(10));
  for (const [came, size] of [
    [9, 10],
    [20 * KiB, 30 * KiB],
    [40 * KiB, 30 * KiB],
    [20 * KiB, 10],
  ] as const)
    await assert.rejects(write('/file', bytesOf(came), { size }), { kind: 'sizeDiffers' });
  assert.equal(held('/file')?.length, 10);
  assert.equal(parts.size, 0);
});

test('a service that reads a body before it refuses it gets the MD5 from the second upload on', async (t) => {
  const { open, held } = await startBucket(t, { knowsExpect: false });
  await assert.rejects(open()('/file', bytesOf(1000)), { kind: 'interrupted' });
  await open()('/file', bytesOf(1000));
  assert.equal(held('/file')?.length, 1000);
});

test('a bucket that requires no MD5 gets none', async (t) => {
  const { open, taken } = await startBucket(t, { isLocked: false });
  await open()('/file', bytesOf(1000));
  assert.deepEqual(taken(), ['PUT /locked/file']);
});
