import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { decodeText, readText } from './read-text.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

test('a text is decoded in its own encoding', () => {
  assert.equal(decodeText(new TextEncoder().encode('na\u00efve 🌾')), 'na\u00efve 🌾');
  assert.equal(decodeText(bytes(0xef, 0xbb, 0xbf, 0x61)), 'a');
  assert.equal(decodeText(bytes(0xff, 0xfe, 0x61, 0, 0xef, 0)), 'a\u00ef');
  assert.equal(decodeText(bytes(0xfe, 0xff, 0, 0x61, 0, 0xef)), 'a\u00ef');
  assert.equal(decodeText(bytes(0x63, 0x61, 0x66, 0xe9, 0x80)), 'caf\u00e9\u20ac');
  assert.equal(decodeText(bytes()), '');
});

test('a character cut off at the end does not change the encoding', () => {
  assert.equal(decodeText(new TextEncoder().encode('März 🌾').subarray(0, -2), true), 'März ');
});

/** A server that answers with `size` bytes, with or without ranges. */
async function serve(t: TestContext, size: number, { ranges = true } = {}): Promise<string> {
  const whole = Buffer.alloc(size, 'x');
  const server = createServer((request, response) => {
    const [, end] = /^bytes=0-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (ranges && size === 0) response.writeHead(416).end();
    else if (ranges && end !== undefined) {
      const part = whole.subarray(0, Number(end) + 1);
      response.writeHead(206, { 'content-range': `bytes 0-${part.length - 1}/${size}` }).end(part);
    } else response.end(whole);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

for (const [what, size, options, expected] of [
  ['a short text is read whole', 10, {}, { length: 10, isCut: false }],
  ['an empty text has no range to ask for', 0, {}, { length: 0, isCut: false }],
  ['of a long text the beginning is read', 3 << 20, {}, { length: 1 << 20, isCut: true }],
  ['also where ranges are not answered', 3 << 20, { ranges: false }, { length: 1 << 20, isCut: true }],
] as const) {
  test(what, async (t) => {
    const { text, isCut } = await readText(await serve(t, size, options), AbortSignal.timeout(10_000));
    assert.deepEqual({ length: text.length, isCut }, expected);
  });
}
