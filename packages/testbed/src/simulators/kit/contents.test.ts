import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { startExample } from './description/example.ts';
import { crc32c, createContents, nodeHash, patternStream, readContentRange } from './index.ts';

async function start(t: TestContext) {
  const example = await startExample();
  t.after(() => example.stop());
  const headers = example.bearer();
  return {
    ...example,
    ask: (extra: Readonly<Record<string, string>>, method = 'GET') =>
      fetch(`${example.url}/api/files/1/content`, { method, headers: { ...headers, ...extra } }),
  };
}

const ranges: readonly (readonly [string, number, string, string | null])[] = [
  ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=8-100', 206, '89', 'bytes 8-9/10'],
  ['bytes=-2', 206, '89', 'bytes 8-9/10'],
  ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  ['bytes=5-2', 200, '0123456789', null],
  ['lines=1-2', 200, '0123456789', null],
  ['bytes=0-1,3-4', 200, '0123456789', null],
];

for (const [range, status, body, contentRange] of ranges)
  test(`${range} of ten bytes gives ${status}`, async (t) => {
    const { ask, simulator } = await start(t);
    const answer = await ask({ range });
    assert.deepEqual([answer.status, answer.headers.get('content-range'), await answer.text()], [status, contentRange, body]);
    simulator.assertClean();
  });

test('If-Range keeps to the range only for the same content, and If-None-Match spares it', async (t) => {
  const { ask, simulator } = await start(t);
  assert.equal((await ask({ range: 'bytes=0-1', 'if-range': '"e1"' })).status, 206);
  assert.equal((await ask({ range: 'bytes=0-1', 'if-range': '"e0"' })).status, 200);
  assert.equal((await ask({ 'if-none-match': '"e0", "e1"' })).status, 304);
  simulator.assertClean();
});

test('HEAD tells the size and sends nothing', async (t) => {
  const { ask, simulator } = await start(t);
  const answer = await ask({}, 'HEAD');
  assert.deepEqual(
    [answer.status, answer.headers.get('content-length'), answer.headers.get('etag'), await answer.text()],
    [200, '10', '"e1"', ''],
  );
  simulator.assertClean();
});

const contents = () => createContents({ hashes: { sha1: nodeHash('sha1'), crc32c }, keepUpTo: 3_000_000 });
const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

test('generated content is the same each time, differs by seed, and can be read from anywhere', async () => {
  const one = await contents().generate(5_000_000, 'seed');
  const whole = await buffer(one.open());
  assert.equal(one.hashes.sha1, sha1(whole));
  assert.equal((await contents().generate(5_000_000, 'seed')).hashes.sha1, one.hashes.sha1);
  assert.notEqual((await contents().generate(5_000_000, 'other')).hashes.sha1, one.hashes.sha1);
  assert.deepEqual(await buffer(one.open(1_048_000, 2_100_001)), whole.subarray(1_048_000, 2_100_001));
});

test('large content is kept when it repeats, and else only its size and hashes', async () => {
  const store = contents();
  const kept = await store.receive(patternStream(5_000_000, 'a'));
  assert.equal(sha1(await buffer(kept.open())), kept.hashes.sha1);
  const spoilt = await buffer(patternStream(5_000_000, 'a'));
  spoilt.writeUInt8(spoilt.readUInt8(4_000_000) ^ 1, 4_000_000);
  const lost = await store.receive(Readable.from([spoilt.subarray(0, 3_500_000), spoilt.subarray(3_500_000)]));
  assert.deepEqual([lost.size, lost.hashes.sha1], [5_000_000, sha1(spoilt)]);
  assert.throws(() => lost.open(), /were not kept/);
});

test('parts that came for themselves make one content', async () => {
  const store = contents();
  const whole = await buffer(patternStream(9_000_000, 'p'));
  const part = (start: number, end: number) => store.receive(Readable.from([whole.subarray(start, end)]));
  const parts = [await part(0, 4_000_000), await part(4_000_000, 8_000_000), await part(8_000_000, 9_000_000)];
  const joined = await store.concat(parts);
  assert.equal(joined.hashes.sha1, sha1(whole));
  assert.equal(sha1(await buffer(joined.open())), sha1(whole));
});

test('CRC-32C is that of RFC 3720 and does not depend on how the bytes come', () => {
  const hash = crc32c();
  for (const piece of ['1', '2345', '', '6789']) hash.update(Buffer.from(piece));
  assert.equal(hash.digest(), Buffer.from('e3069283', 'hex').toString('base64'));
  const zeros = crc32c();
  zeros.update(Buffer.alloc(32));
  assert.equal(zeros.digest(), Buffer.from('8a9136aa', 'hex').toString('base64'));
});

test('Content-Range of an upload is read with its open ends', () => {
  assert.deepEqual(readContentRange('bytes 0-99/500'), { start: 0, end: 100, size: 500 });
  assert.deepEqual(readContentRange('bytes 0-99/*'), { start: 0, end: 100, size: undefined });
  assert.deepEqual(readContentRange('bytes */500'), { start: undefined, end: undefined, size: 500 });
  for (const wrong of ['bytes 5-2/9', 'bytes 0-9/9', '0-9/10', undefined]) assert.equal(readContentRange(wrong), undefined);
});
