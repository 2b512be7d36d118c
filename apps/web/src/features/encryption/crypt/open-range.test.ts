import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetched } from './open-range.ts';

const GiB = 2 ** 30;

test('a long range is fetched in parts of 1 GiB, because Chromium cancels a download beyond 2 GiB of one body', async (t) => {
  const asked: string[] = [];
  t.mock.method(globalThis, 'fetch', (address: string, { headers }: { headers: { range: string } }) => {
    asked.push(`${address} ${headers.range}`);
    return Promise.resolve(new Response(`part ${asked.length}`, { status: 206 }));
  });
  let text = '';
  for await (const bytes of fetched('/file', 10, 2 * GiB + 5, new AbortController().signal)) text += new TextDecoder().decode(bytes);
  assert.deepEqual(asked, [
    `/file bytes=10-${GiB + 9}`,
    `/file bytes=${GiB + 10}-${2 * GiB + 9}`,
    `/file bytes=${2 * GiB + 10}-${2 * GiB + 14}`,
  ]);
  assert.equal(text, 'part 1part 2part 3');
  asked.length = 0;
  for await (const bytes of fetched('/file', 10, 0, new AbortController().signal)) assert.fail(`${bytes.length} bytes`);
  assert.deepEqual(asked, []);
});
