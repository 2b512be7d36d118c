import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { eventually } from '@sheaf/testbed';
import { ConnectorError } from '../../core/error.ts';
import { collect } from '../body/body.ts';
import { type Answer, file, firstPart, give, pattern, serveRanges } from '../testing/range-server.ts';

describe('readInTwo', () => {
  test('returns a long file completely, from two requests', async (t) => {
    const { asked, ranges, read } = await serveRanges(t);
    const body = await read();
    assert.deepEqual([body.size, body.entry], [file.length, { etag: '1' }]);
    assert.ok(file.equals(await collect(body)));
    assert.deepEqual(ranges(), ['bytes=0-9999', 'bytes=10000-']);
    assert.equal(asked[1]?.ifMatch, '"100000"');
  });

  test('requests the rest when half of the first part has been read, before the first part ends', async (t) => {
    let first = (_from: number, _to: number): void => assert.fail('nothing was asked for');
    const { asked, read } = await serveRanges(t, [
      ({ begin, response }) => {
        const bytes = begin();
        first = (from, to) => void response.write(bytes.subarray(from, to));
      },
    ]);
    const body = await read();
    let taken = 0;
    first(0, 4999);
    await body.drain(async (chunk) => {
      taken += chunk.byteLength;
      if (taken === 4999) {
        for (let turns = 0; turns < 50; turns++) await turn();
        assert.equal(asked.length, 1);
        first(4999, 5000);
      }
      if (taken === 5000) {
        await eventually(() => asked.length === 2, 'the rest is asked for');
        first(5000, firstPart);
      }
    });
    assert.equal(taken, file.length);
  });

  for (const length of [1, firstPart - 1, firstPart])
    test(`requests a file of ${length} bytes once`, async (t) => {
      const { ranges, read } = await serveRanges(t, [give(file.subarray(0, length))]);
      const body = await read();
      assert.equal(body.size, length);
      assert.ok(file.subarray(0, length).equals(await collect(body)));
      assert.deepEqual(ranges(), ['bytes=0-9999']);
    });

  test('returns an empty file, of which no range can be requested', async (t) => {
    const empty = give(Buffer.alloc(0));
    const { ranges, read } = await serveRanges(t, [empty, empty]);
    const body = await read();
    assert.deepEqual([body.size, (await collect(body)).length], [0, 0]);
    assert.deepEqual(ranges(), ['bytes=0-9999', undefined]);
  });

  test('takes the whole file from a server without ranges', async (t) => {
    const { asked, read } = await serveRanges(t, [({ response }) => response.setHeader('content-length', file.length).end(file)]);
    const body = await read();
    assert.equal(body.size, file.length);
    assert.ok(file.equals(await collect(body)));
    assert.equal(asked.length, 1);
  });

  const unsplittable: Readonly<Record<string, Record<string, string>>> = {
    'no length of the whole': { 'content-range': 'bytes 0-9999/*' },
    'another range': { 'content-range': 'bytes 1-10000/100000' },
    'a range past the end': { 'content-range': 'bytes 0-9999/9000' },
    'no range at all': { 'content-range': '' },
    'no ETag': { etag: '' },
    'a weak ETag': { etag: 'W/"100000"' },
  };
  for (const [what, headers] of Object.entries(unsplittable))
    test(`reads a file that a server sends with ${what} in one request`, async (t) => {
      const { ranges, read } = await serveRanges(t, [({ begin }) => void begin(file, headers)], { maxConnections: 1 });
      const body = await read(AbortSignal.timeout(10_000));
      assert.equal(body.size, file.length);
      assert.ok(file.equals(await collect(body)));
      assert.deepEqual(ranges(), ['bytes=0-9999', undefined]);
    });

  test('accepts a first part that is shorter than requested', async (t) => {
    const shorter: Answer = ({ begin, response }) =>
      response.end(begin(file, { 'content-range': 'bytes 0-3999/100000', 'content-length': '4000' }).subarray(0, 4000));
    const { ranges, read } = await serveRanges(t, [shorter]);
    assert.ok(file.equals(await collect(await read())));
    assert.deepEqual(ranges(), ['bytes=0-9999', 'bytes=4000-']);
  });

  test('pauses the server while the rest waits for the first part', async (t) => {
    const long = pattern(64 * 1024 * 1024);
    let sent = 0;
    const counted: Answer = ({ begin, response }) => {
      const bytes = begin(long);
      const more = (): void => {
        for (let room = true; room && sent < bytes.length; sent += 65_536) room = response.write(bytes.subarray(sent, sent + 65_536));
        if (sent < bytes.length) response.once('drain', more);
        else response.end();
      };
      more();
    };
    const { asked, read } = await serveRanges(t, [give(long), counted]);
    let position = 0;
    const body = await read();
    await body.drain(async (chunk) => {
      if (position === 0) {
        await eventually(() => asked.length === 2, 'the rest is asked for');
        for (let [before, still] = [-1, 0]; still < 200; [before, still] = [sent, sent === before ? still + 1 : 0]) await turn();
        assert.ok(sent < long.length / 2, `${sent} bytes went out`);
      }
      assert.ok(long.subarray(position, position + chunk.byteLength).equals(chunk));
      position += chunk.byteLength;
    });
    assert.equal(position, long.length);
  });

  for (const maxConnections of [1, 3])
    test(`many concurrent reads finish with ${maxConnections} connections in total`, async (t) => {
      const { read, connections } = await serveRanges(t, [], { maxConnections });
      const all = await Promise.all(Array.from({ length: 12 }, async () => collect(await read())));
      assert.ok(all.every((bytes) => bytes.equals(file)));
      assert.equal(connections(), maxConnections);
    });

  test('a refusal of the first request is reported as that of the file', async (t) => {
    const { asked, read } = await serveRanges(t, [({ response }) => response.writeHead(403).end()]);
    await assert.rejects(read(), (error) => error instanceof ConnectorError && error.kind === 'forbidden');
    assert.equal(asked.length, 1);
  });
});
