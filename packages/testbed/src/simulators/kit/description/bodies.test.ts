import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { patternStream } from '../index.ts';
import { startExample } from './example.ts';

async function start(t: TestContext) {
  const example = await startExample();
  t.after(() => example.stop());
  const headers = example.bearer();
  const post = (body: RequestInit['body'], type?: string) =>
    fetch(`${example.url}/api/files`, {
      method: 'POST',
      body: body ?? null,
      headers: { ...headers, ...(type ? { 'content-type': type } : {}) },
      duplex: 'half',
    });
  return { ...example, headers, post };
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

test('a form with a file gives its fields and the bytes of the file', async (t) => {
  const { post, simulator } = await start(t);
  const form = new FormData();
  form.append('attributes', JSON.stringify({ name: 'grüße "1".txt' }));
  const bytes = `--x\r\n--\r\n${'y'.repeat(300_000)}\r\n`;
  form.append('file', new Blob([bytes]), 'any');
  const answer = await post(form);
  assert.equal(answer.status, 201);
  const { name, size, md5: hash } = (await answer.json()) as { name: string; size: number; md5: string };
  assert.deepEqual([name, size, hash], ['grüße "1".txt', bytes.length, md5(bytes)]);
  simulator.assertClean();
});

test('metadata beside a file in multipart/related is checked as the JSON that it is', async (t) => {
  const { post, simulator } = await start(t);
  const related = (json: string, file: string) =>
    `--b1\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${json}\r\n--b1\r\nContent-Type: text/plain\r\n\r\n${file}\r\n--b1--`;
  const good = await post(related('{"name":"r"}', 'bytes'), 'multipart/related; boundary=b1');
  assert.deepEqual([good.status, ((await good.json()) as { md5: string }).md5], [201, md5('bytes')]);
  const empty = await post(related('{"name":"e"}', ''), 'multipart/related; boundary="b1"');
  assert.deepEqual([empty.status, ((await empty.json()) as { md5: string }).md5], [201, md5('')]);
  simulator.assertClean();
  assert.equal((await post(related('{"title":"r"}', 'bytes'), 'multipart/related; boundary=b1')).status, 400);
  assert.match(simulator.violations.join(), /name/);
});

test('a form is refused when a field is missing, is no JSON as described, is not described, or follows the file', async (t) => {
  const { post, simulator } = await start(t);
  const send = async (...fields: (readonly [string, string | Blob])[]) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return (await post(form)).status;
  };
  const attributes = ['attributes', '{"name":"a"}'] as const;
  const file = ['file', new Blob(['x'])] as const;
  assert.equal(await send(attributes, file), 201);
  simulator.assertClean();
  assert.equal(await send(attributes), 400);
  assert.equal(await send(['attributes', '{"title":"a"}'], file), 400);
  assert.equal(await send(attributes, ['colour', 'red'], file), 400);
  assert.equal(await send(attributes, file, ['more', '1']), 201);
  assert.deepEqual(
    simulator.violations.map((line) => line.replace('POST /api/files: ', '')),
    [
      'field file is missing',
      "field attributes: it must have required property 'name'",
      'field colour is not described',
      'a part named more follows the file',
    ],
  );
});

test('a multipart body that ends early or names no boundary is refused', async (t) => {
  const { post, simulator } = await start(t);
  assert.equal((await post('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx', 'multipart/form-data; boundary=b')).status, 400);
  assert.equal((await post('x', 'multipart/form-data')).status, 400);
  assert.equal(simulator.violations.length, 2);
});

test('raw bytes are never read as a document, whatever they are called', async (t) => {
  const { url, headers, simulator } = await start(t);
  const put = await fetch(`${url}/api/files/raw/content`, { method: 'PUT', body: '{"not": checked', headers });
  assert.equal(put.status, 400);
  const octets = { ...headers, 'content-type': 'application/octet-stream' };
  assert.equal((await fetch(`${url}/api/files/raw/content`, { method: 'PUT', body: '{"not": checked', headers: octets })).status, 200);
  assert.equal((await fetch(`${url}/api/files/none/content`, { method: 'PUT', body: '', headers: octets })).status, 200);
  assert.match(simulator.violations.join(), /^PUT \/api\/files\/raw\/content: content type text\/plain is not described$/);
});

test('an upload in pieces continues until the whole has come', async (t) => {
  const { url, headers, simulator } = await start(t);
  const put = (body: string, range: string) =>
    fetch(`${url}/api/files/p/content`, {
      method: 'PUT',
      body,
      headers: { ...headers, 'content-type': 'application/octet-stream', 'content-range': range },
      redirect: 'manual',
    });
  const first = await put('hello ', 'bytes 0-5/11');
  assert.deepEqual([first.status, first.headers.get('range')], [308, 'bytes=0-5']);
  const last = await put('world', 'bytes 6-10/11');
  assert.equal(((await last.json()) as { md5: string }).md5, md5('hello world'));
  simulator.assertClean();
});

test('a client that disconnects in the middle of a body is not a violation, and the simulator continues', async (t) => {
  const { url, headers, simulator } = await start(t);
  const octets = { ...headers, 'content-type': 'application/octet-stream' };
  const going = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(100_000)),
    pull: () => {
      going.abort();
      return new Promise(() => undefined);
    },
  });
  await assert.rejects(fetch(`${url}/api/files/x/content`, { method: 'PUT', body, headers: octets, duplex: 'half', signal: going.signal }));
  assert.equal((await fetch(`${url}/api/files/1`, { headers })).status, 200);
  simulator.assertClean();
});

test('a body far larger than what is kept streams through and can be read again when it repeats', async (t) => {
  const { url, headers, simulator, files } = await start(t);
  const size = 200 * 1024 * 1024;
  const before = process.memoryUsage().rss;
  const octets = { ...headers, 'content-type': 'application/octet-stream', 'content-length': String(size) };
  const body = patternStream(size, 'large') as unknown as ReadableStream<Uint8Array>;
  const sent = await fetch(`${url}/api/files/large/content`, { method: 'PUT', body, headers: octets, duplex: 'half' });
  const { md5: uploaded } = (await sent.json()) as { md5: string };
  const hash = createHash('md5');
  const got = await fetch(`${url}/api/files/large/content`, { headers });
  for await (const chunk of got.body ?? []) hash.update(chunk);
  assert.equal(hash.digest('hex'), uploaded);
  assert.equal(files.get('large')?.content.size, size);
  assert.ok(process.memoryUsage().rss - before < 150 * 1024 * 1024);
  simulator.assertClean();
});
