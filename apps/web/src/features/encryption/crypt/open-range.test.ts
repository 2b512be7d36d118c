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

test('reading goes on where a connection broke or the storage was busy, and ends after five failures without a byte between them', async (t) => {
  const asked: string[] = [];
  const broken = (text: string): Response => {
    const parts = [new TextEncoder().encode(text)];
    const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void => {
      const part = parts.pop();
      if (part) controller.enqueue(part);
      else controller.error(new TypeError('network error'));
    };
    return new Response(new ReadableStream({ pull }), { status: 206 });
  };
  const busy = (): Response => Response.json({ messageCode: 'SOURCE_BUSY' }, { status: 503 });
  const cut = (): Response => Response.json({ messageCode: 'TRANSFER_CUT' }, { status: 502 });
  const refused = (): Response => Response.json({ messageCode: 'WEBLINK_GONE' }, { status: 410 });
  const whole = (text: string): Response => new Response(text, { status: 206 });
  let answers: Response[] = [];
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(globalThis, 'fetch', (_address: string, { headers }: { headers: { range: string } }) => {
    asked.push(headers.range);
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('Failed to fetch'));
  });
  const read = async (given: Response[]): Promise<string> => {
    answers = given;
    asked.length = 0;
    let text = '';
    const reading = (async () => {
      for await (const bytes of fetched('/file', 10, 10, new AbortController().signal)) text += new TextDecoder().decode(bytes);
      return text;
    })();
    let isOver = false;
    void reading.catch(() => undefined).finally(() => (isOver = true));
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      t.mock.timers.runAll();
    }
    return reading;
  };
  assert.equal(await read([broken('0123'), busy(), cut(), whole('456789')]), '0123456789');
  assert.deepEqual(asked, ['bytes=10-19', ...Array.from({ length: 3 }, () => 'bytes=14-19')]);
  await assert.rejects(read([]), TypeError);
  assert.equal(asked.length, 5);
  await assert.rejects(read([broken('0123'), refused()]), { refusal: 'WEBLINK_GONE' });
  assert.equal(asked.length, 2);
});

test('a whole file as the answer for a range is asked for again past the cache, and never read as the range', async (t) => {
  const asked: string[] = [];
  let isCached = true;
  t.mock.method(globalThis, 'fetch', (_address: string, { headers, cache }: { headers: { range: string }; cache?: string }) => {
    asked.push(`${headers.range} ${cache ?? 'kept'}`);
    const isWhole = isCached && cache !== 'no-store';
    return Promise.resolve(isWhole ? new Response('0123456789abcdef') : new Response('456', { status: isCached ? 206 : 200 }));
  });
  const read = async (): Promise<string> => {
    let text = '';
    for await (const bytes of fetched('/file', 4, 3, new AbortController().signal)) text += new TextDecoder().decode(bytes);
    return text;
  };
  assert.equal(await read(), '456');
  assert.deepEqual(asked, ['bytes=4-6 kept', 'bytes=4-6 no-store']);
  isCached = false;
  await assert.rejects(read(), { message: 'The bytes could not be fetched.' });
});
