import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { ByteRange } from '../../core/connector.ts';
import { collect } from '../body/body.ts';
import { createDialer } from '../net/dialer.ts';
import { createHttp } from './http-client.ts';
import { partOf, rangeHeader } from './part-of.ts';

const digits = '0123456789';
/**
 * Responds depending on the path: with parts, with the whole file and its length, with the whole file without a length, with another part,
 * or with nothing.
 */
const server = createServer((request, response) => {
  const [, first = '0', last = '9'] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (request.url === '/whole') return void response.setHeader('content-length', 10).end(digits);
  if (request.url === '/chunked') return void response.write('01234', () => response.end('56789'));
  if (request.url === '/past') return void response.writeHead(416).end();
  const start = Number(first) + (request.url === '/other' ? 1 : 0);
  if (request.headers.range === undefined) return void response.end(digits);
  const end = Math.min(9, Number(last || 9));
  response.writeHead(206, { 'content-range': `bytes ${start}-${end}/10` }).end(digits.slice(start, end + 1));
});
let http: ReturnType<typeof createHttp>;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  http = createHttp({ origin, dialer: createDialer({ privateNetworks: 'allow' }), verify: true });
});
after(() => {
  http.close();
  server.close();
});

async function ask(path: string, range?: ByteRange) {
  const signal = AbortSignal.timeout(60_000);
  return partOf(await http.request({ method: 'GET', path, headers: rangeHeader(range), signal }), range, { etag: 'e' });
}

for (const path of ['/parts', '/whole', '/chunked'])
  test(`a part is returned from ${path}, with what is known of the file`, async () => {
    for (const [range, expected] of [
      [undefined, digits],
      [{ start: 0 }, digits],
      [{ start: 4 }, '456789'],
      [{ start: 2, end: 5 }, '234'],
      [{ start: 7, end: 1000 }, '789'],
      [{ start: 9, end: 10 }, '9'],
    ] as const) {
      const body = await ask(path, range);
      assert.equal(body.entry.etag, 'e');
      assert.ok(body.entry.size === undefined || body.entry.size === 10);
      assert.ok(body.size === undefined || body.size === expected.length);
      assert.equal((await collect(body)).toString(), expected);
    }
  });

test('a range past the end is badRange, before the body where the length is known, otherwise while the body is read', async () => {
  await assert.rejects(ask('/whole', { start: 10 }), { kind: 'badRange' });
  await assert.rejects(ask('/past', { start: 10 }), { kind: 'badRange' });
  await assert.rejects(async () => collect(await ask('/chunked', { start: 10 })), { kind: 'badRange' });
  assert.throws(() => rangeHeader({ start: 3, end: 3 }), { kind: 'badRange' });
});

test('another part than requested is rejected', async () => {
  await assert.rejects(ask('/other', { start: 3, end: 6 }), { kind: 'unexpected' });
});
