import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { notebook } from '../../conformance/leftovers.ts';
import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import { collect } from '../../kit/body/body.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { layered } from '../../layers/layered.ts';
import { limit } from '../../layers/limit.ts';
import { timeout } from '../../layers/timeout.ts';
import { type S3Client, createS3Client } from './client.ts';
import { parseS3Config } from './config.ts';
import { openS3 } from './connector.ts';
import { createS3Store } from './store.ts';

const ask = () => ({ signal: AbortSignal.timeout(10_000) });
const info = { bucketName: 'photos', key: 'AKID', secret: 'secret' };
/** Every host name resolves to this machine, as a provider's bucket names resolve to the provider. */
const dialer = createDialer({ privateNetworks: 'allow', resolve: async () => ['127.0.0.1'] });

interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly host: string;
  readonly headers: IncomingMessage['headers'];
  /** The region of the signature. */
  readonly region: string;
}

/** Starts a server with the given responses; records the requests. */
async function startService(t: TestContext, answer: (seen: Seen, response: ServerResponse) => void) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { method = '', headers, url = '' } = request;
    const region = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? '';
    const one = { method, headers, region, host: headers.host ?? '', url: new URL(url, 'http://service') };
    seen.push(one);
    request.on('end', () => answer(one, response)).resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

function open(t: TestContext, host: string, provider = 'S3Compat', more: Record<string, string> = {}) {
  const config = parseS3Config({ ...info, host, ...more }, provider);
  const remembered: string[] = [];
  const rememberRegion = async (region: string) => void remembered.push(region);
  const client: S3Client = createS3Client(config, { dialer, maxConnections: 2, recallRegion: async () => undefined, rememberRegion });
  t.after(() => client.close());
  return { client, remembered, store: createS3Store(client, config) };
}

const refuse = (response: ServerResponse, status: number, code: string, more = '', headers: Record<string, string> = {}) =>
  response.writeHead(status, headers).end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No &amp; no.</Message>${more}</Error>`);
const listing = (content: string): string =>
  `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</ListBucketResult>`;
const object = (key: string): string => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`;

const refusals: Readonly<Record<string, readonly [status: number, code: string]>> = {
  badName: [400, 'XMinioInvalidObjectName'],
  wrongKey: [403, 'InvalidAccessKeyId'],
  wrongSignature: [403, 'SignatureDoesNotMatch'],
  noBucket: [404, 'NoSuchBucket'],
  forbidden: [403, 'AccessDenied'],
  notFound: [404, 'NoSuchKey'],
  full: [507, 'XMinioStorageFull'],
  unexpected: [403, 'RequestTimeTooSkewed'],
} satisfies Partial<Record<ConnectorErrorKind, readonly [number, string]>>;

test('each refusal of a service has its own error kind', async (t) => {
  for (const [kind, [status, code]] of Object.entries(refusals)) {
    const { port } = await startService(t, (_, response) => refuse(response, status, code));
    await assert.rejects(open(t, `http://127.0.0.1:${port}`).client.send({ method: 'GET', ...ask() }), {
      kind,
      retryable: status >= 500 && kind !== 'full',
    });
  }
});

test("a refusal without a body is reported by MinIO's header for it, and a malformed login by its key", async (t) => {
  const { port } = await startService(t, ({ method }, response) => {
    if (method === 'HEAD') response.writeHead(400, { 'x-minio-error-code': 'XMinioInvalidObjectName' }).end();
    else refuse(response, 400, 'AuthorizationHeaderMalformed');
  });
  const { client } = open(t, `http://127.0.0.1:${port}`, 'S3Compat', { region: 'a' });
  await assert.rejects(client.send({ method: 'HEAD', key: 'a//b', ...ask() }), { kind: 'badName' });
  await assert.rejects(client.send({ method: 'GET', ...ask() }), { kind: 'wrongKey' });
});

test('a service that asks to slow down is reported with the requested wait', async (t) => {
  const { port } = await startService(t, (_, response) => refuse(response, 503, 'SlowDown', '', { 'retry-after': '3' }));
  const refusal = open(t, `http://127.0.0.1:${port}`).client.send({ method: 'GET', ...ask() });
  await assert.rejects(refusal, { kind: 'rateLimited', retryable: true, retryAfter: 3000 });
});

test("a bucket's region is learned from the refusal, before an upload sends its body, and remembered", async (t) => {
  const { port, seen } = await startService(t, ({ region, method }, response) => {
    if (region === 'eu-central-1') response.end(method === 'GET' ? listing('') : '');
    else refuse(response, 400, 'AuthorizationHeaderMalformed', '<Region>eu-central-1</Region>');
  });
  const { store, remembered } = open(t, `http://127.0.0.1:${port}`);
  await store.put('key', Readable.from([Buffer.from('body')]), { ...ask(), size: 4 });
  assert.deepEqual(
    seen.map(({ method, region }) => `${method} ${region}`),
    ['GET us-east-1', 'GET eu-central-1', 'PUT eu-central-1'],
  );
  assert.deepEqual(remembered, ['eu-central-1']);
});

test("a redirect to the bucket's region is followed by signing for it", async (t) => {
  const { port, seen } = await startService(t, ({ region }, response) => {
    if (region === 'ap-south-1') response.end(listing(''));
    else refuse(response, 301, 'PermanentRedirect', '', { 'x-amz-bucket-region': 'ap-south-1' });
  });
  const answer = await open(t, `http://127.0.0.1:${port}`).client.send({ method: 'GET', ...ask() });
  await answer.discard();
  assert.equal(seen.length, 2);
});

test('a service that redirects from region to region is not followed forever', async (t) => {
  const { port, seen } = await startService(t, ({ region }, response) =>
    refuse(response, 301, 'PermanentRedirect', `<Region>${region === 'a' ? 'b' : 'a'}</Region>`),
  );
  await assert.rejects(open(t, `http://127.0.0.1:${port}`).client.send({ method: 'GET', ...ask() }), ConnectorError);
  assert.equal(seen.length, 2);
});

test('the bucket is part of the host name or of the path, as the provider requires', async (t) => {
  const { port, seen } = await startService(t, (_, response) => response.end(listing('')));
  for (const [provider, bucketName] of [
    ['DigitalOcean', 'photos'],
    ['DigitalOcean', 'photos.2026'],
    ['MinIO', 'photos'],
  ] as const) {
    const answer = await open(t, `http://spaces.example:${port}`, provider, { bucketName }).client.send({
      method: 'HEAD',
      key: 'a b/ü',
      ...ask(),
    });
    await answer.discard();
  }
  assert.deepEqual(
    seen.filter(({ method }) => method === 'HEAD').map(({ host, url }) => host.split(':')[0] + url.pathname),
    ['photos.spaces.example/a%20b/%C3%BC', 'spaces.example/photos.2026/a%20b/%C3%BC', 'spaces.example/photos/a%20b/%C3%BC'],
  );
});

test('a service without version 2 of listings is asked with version 1, page by page', async (t) => {
  const { port } = await startService(t, ({ url }, response) => {
    const after = url.searchParams.get('marker');
    if (url.searchParams.has('list-type')) refuse(response, 501, 'NotImplemented');
    else if (after === null) response.end(listing(`<IsTruncated>true</IsTruncated>${object('a')}${object('b')}`));
    else response.end(listing(`<IsTruncated>false</IsTruncated>${object(`after ${after}`)}`));
  });
  const batches = await Array.fromAsync(open(t, `http://127.0.0.1:${port}`).store.list('', { ...ask(), deep: true }));
  assert.deepEqual(
    batches.flatMap(({ objects }) => objects.map(({ key }) => key)),
    ['a', 'b', 'after b'],
  );
});

const keysOf = async (store: ReturnType<typeof createS3Store>, deep = true) =>
  (await Array.fromAsync(store.list('', { ...ask(), deep }))).flatMap(({ objects, prefixes }) => [
    ...objects.map(({ key }) => key),
    ...prefixes,
  ]);

test('a service that ignores the version and responds in version 1 is paged by the marker', async (t) => {
  const { port } = await startService(t, ({ url }, response) => {
    const after = url.searchParams.get('marker');
    if (after === null)
      response.end(
        listing(`<IsTruncated>true</IsTruncated>${object('\ud83d\ude00')}<CommonPrefixes><Prefix>\uff01/</Prefix></CommonPrefixes>`),
      );
    else response.end(listing(`<IsTruncated>false</IsTruncated>${object(`after ${after}`)}`));
  });
  assert.deepEqual(await keysOf(open(t, `http://127.0.0.1:${port}`).store), ['\ud83d\ude00', '\uff01/', 'after \ud83d\ude00']);
});

test('keys are decoded correctly where the service reports their encoding after them, as MinIO does', async (t) => {
  const keys = `${object('a+b%2Bc')}<CommonPrefixes><Prefix>d%2Be/</Prefix></CommonPrefixes>`;
  const late = await startService(t, (_, response) => response.end(listing(`${keys}<EncodingType>url</EncodingType>`)));
  const none = await startService(t, (_, response) => response.end(listing(keys)));
  assert.deepEqual(await keysOf(open(t, `http://127.0.0.1:${late.port}`).store, false), ['a b+c', 'd+e/']);
  assert.deepEqual(await keysOf(open(t, `http://127.0.0.1:${none.port}`).store, false), ['a+b%2Bc', 'd%2Be/']);
});

test('a listing that announces another page and does not continue is an error', async (t) => {
  for (const page of ['', object('a'), `${object('a')}<NextContinuationToken>t</NextContinuationToken>`]) {
    const { port, seen } = await startService(t, (_, response) => response.end(listing(`<IsTruncated>true</IsTruncated>${page}`)));
    await assert.rejects(keysOf(open(t, `http://127.0.0.1:${port}`).store), { kind: 'unexpected' });
    assert.ok(seen.length <= 2);
  }
});

test('an incomplete listing is an error, not a short folder', async (t) => {
  const { port } = await startService(t, (_, response) => response.end(listing(object('a')).slice(0, -10)));
  await assert.rejects(Array.fromAsync(open(t, `http://127.0.0.1:${port}`).store.list('', { ...ask(), deep: true })), {
    kind: 'interrupted',
  });
});

test('a copy whose successful response contains an error fails', async (t) => {
  const { port } = await startService(t, (_, response) => refuse(response, 200, 'InternalError'));
  const copy = open(t, `http://127.0.0.1:${port}`).store.copy({ key: 'a', size: 1 }, 'b', ask());
  await assert.rejects(copy, { kind: 'unexpected', retryable: true });
});

test('a copy in parts reads one object, and fails when that is replaced', async (t) => {
  const { port, seen } = await startService(t, ({ method, url }, response) => {
    const wasCopied = seen.some((one) => one.headers['x-amz-copy-source-range'] === 'bytes=5-9');
    if (method === 'HEAD') response.writeHead(200, { etag: wasCopied ? '"new"' : '"old"', 'content-length': '10' }).end();
    else response.end(url.searchParams.has('uploads') ? '<R><UploadId>1</UploadId></R>' : '<R><ETag>part</ETag></R>');
  });
  const { client } = open(t, `http://127.0.0.1:${port}`, 'S3Compat', { region: 'a' });
  const config = parseS3Config({ ...info, host: `http://127.0.0.1:${port}` }, 'S3Compat');
  const store = createS3Store(client, config, { singleCopy: 4, copyPart: 5 });
  await assert.rejects(store.copy({ key: 'big', size: 10 }, 'copy', ask()), { kind: 'interrupted', retryable: false });
  const last = seen.at(-1);
  assert.deepEqual([last?.method, last?.url.searchParams.get('uploadId')], ['DELETE', '1']);
});

test('an upload in parts is noted before its first part, and stays noted when it cannot be cancelled', async (t) => {
  const { notes, leftovers } = notebook();
  let atFirstPart = 0;
  const { port } = await startService(t, ({ method, url }, response) => {
    if (method === 'PUT') atFirstPart = notes.length;
    if (method === 'POST' && url.searchParams.has('uploads')) response.end('<R><UploadId>1</UploadId></R>');
    else refuse(response, 403, 'AccessDenied');
  });
  const { client } = open(t, `http://127.0.0.1:${port}`, 'S3Compat', { region: 'a' });
  const config = parseS3Config({ ...info, host: `http://127.0.0.1:${port}` }, 'S3Compat');
  const store = createS3Store(client, config, { sizes: { single: 1, knownPart: 4, unknownPart: 4, mostParts: 10 }, leftovers });
  await assert.rejects(store.put('a "b"', Readable.from([Buffer.from('12345678')]), { ...ask(), size: 8 }), { kind: 'forbidden' });
  assert.equal(atFirstPart, 1);
  assert.deepEqual(notes, [{ text: JSON.stringify(['a "b"', '1']), end: 'stays' }]);
});

test('the storage class is sent with every new object', async (t) => {
  const { port, seen } = await startService(t, ({ method }, response) => response.end(method === 'GET' ? listing('') : ''));
  const { store } = open(t, `http://127.0.0.1:${port}`, 'S3', { defaultStorageClass: 'REDUCED REDUNDANCY' });
  await store.put('new', Readable.from([]), { ...ask(), size: 0 });
  await store.copy({ key: 'new', size: 0 }, 'copy', ask());
  const puts = seen.filter(({ method }) => method === 'PUT');
  assert.deepEqual(
    puts.map(({ headers }) => headers['x-amz-storage-class']),
    ['REDUCED_REDUNDANCY', 'REDUCED_REDUNDANCY'],
  );
});

test('the first request for a whole object requests its first 8 MiB, and one for a range requests that range', async (t) => {
  const { port, seen } = await startService(t, ({ headers }, response) => {
    const [, start = '', end = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    response.writeHead(206, { etag: '"1"', 'content-range': `bytes ${start}-${Math.min(Number(end), 9)}/10` }).end('x');
  });
  const { store } = open(t, `http://127.0.0.1:${port}`);
  for (const range of [undefined, { start: 0 }, { start: 0, end: 4 }, { start: 3, end: 5 }]) {
    const { object, body } = await store.get('key', { ...ask(), ...(range && { range }) });
    assert.deepEqual([object.size, object.etag], [10, '1']);
    body().cancel();
  }
  assert.deepEqual(
    seen.map(({ headers }) => headers.range),
    ['bytes=0-8388607', 'bytes=0-8388607', 'bytes=0-3', 'bytes=3-4'],
  );
});

test('a download times out when the rest of the object does not arrive, and its slot is free again', async (t) => {
  const { port } = await startService(t, ({ headers }, response) => {
    if (headers.range !== 'bytes=0-3') return;
    response.writeHead(206, { etag: '"1"', 'content-range': 'bytes 0-3/10', 'content-length': '4' }).end('0123');
  });
  const config = parseS3Config({ ...info, host: `http://127.0.0.1:${port}` }, 'S3Compat');
  const env = { dialer, recall: async () => undefined, remember: async () => undefined };
  const connector = layered(
    openS3(config, env, { firstPart: 4 }),
    limit(1),
    timeout(() => ({ silence: 100 })),
  );
  t.after(() => connector.close());
  for (let round = 0; round < 2; round++) {
    const body = await connector.read('/key', ask());
    assert.deepEqual([body.size, body.entry.etag], [10, '1']);
    await assert.rejects(collect(body), { kind: 'timeout' });
  }
});

test('several keys are deleted in one call, and one by one where the service has no such call', async (t) => {
  const { port, seen } = await startService(t, ({ method }, response) => {
    if (method === 'POST') refuse(response, 501, 'NotImplemented');
    else response.writeHead(204).end();
  });
  const { store } = open(t, `http://127.0.0.1:${port}`);
  await store.remove(['a', 'b'], ask());
  await store.remove(['c', 'd'], ask());
  assert.deepEqual(seen.map(({ method, url }) => method + url.pathname).sort(), [
    'DELETE/photos/a',
    'DELETE/photos/b',
    'DELETE/photos/c',
    'DELETE/photos/d',
    'POST/photos',
  ]);
});

test('a body in memory goes to the next key offered when its own is taken, with a precondition where supported', async (t) => {
  for (const hasConditions of [true, false]) {
    const held = new Set(['a.txt', 'a 2.txt']);
    const { seen, port } = await startService(t, ({ method, url, headers }, response) => {
      const key = decodeURIComponent(url.pathname).replace('/photos/', '');
      if (method === 'HEAD') return void response.writeHead(held.has(key) ? 200 : 404).end();
      if (method !== 'PUT') return void response.end(listing(''));
      if (headers['if-none-match'] !== undefined && !hasConditions) return void refuse(response, 501, 'NotImplemented');
      if (headers['if-none-match'] === '*' && held.has(key)) return void refuse(response, 412, 'PreconditionFailed');
      held.add(key);
      response.writeHead(200, { etag: '"e"' }).end();
    });
    const { store } = open(t, `http://127.0.0.1:${port}`);
    const others = ['a 2.txt', 'a 3.txt'];
    const otherKey = async () => others.shift();
    const stored = await store.put('a.txt', Readable.from([Buffer.from('bytes')]), { ...ask(), size: 5, ifAbsent: true, otherKey });
    assert.equal(stored.key, 'a 3.txt');
    assert.deepEqual([...held], ['a.txt', 'a 2.txt', 'a 3.txt']);
    const last = seen.at(-1);
    assert.deepEqual([last?.method, last?.headers['if-none-match']], ['PUT', hasConditions ? '*' : undefined]);
    const taken = store.put('a.txt', Readable.from([Buffer.from('bytes')]), { ...ask(), size: 5, ifAbsent: true, otherKey });
    await assert.rejects(taken, { kind: 'alreadyExists' });
  }
});
