import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '@sheaf/testbed';
import type { Body } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { passingTime } from '../testing/passing-time.ts';
import { type Answer, file, firstPart, give, pattern, serveRanges } from '../testing/range-server.ts';
import { collect } from './body.ts';

const long = pattern(50_000_000);
const refuse =
  (status: number): Answer =>
  ({ response }) => {
    response.writeHead(status).end();
  };
/** Sends that many bytes of the response, then breaks the connection. */
const breakAfter =
  (count: number): Answer =>
  ({ begin, response }) => {
    response.write(begin().subarray(0, count), () => response.destroy());
  };
/** Sends a head and then stays silent. */
const silent: Answer = ({ begin }) => void begin();

/** Reads the body as far as possible; returns the bytes and the error. */
async function drained(body: Body): Promise<{ bytes: Buffer; error: ConnectorError }> {
  const chunks: Buffer[] = [];
  try {
    await body.drain(async (chunk) => void chunks.push(Buffer.from(chunk)));
  } catch (error) {
    assert.ok(error instanceof ConnectorError);
    return { bytes: Buffer.concat(chunks), error };
  }
  return assert.fail('the body came to its end');
}

describe('a file read in two parts', () => {
  const other = Buffer.alloc(file.length + 1, 'x');
  const replaced: Readonly<Record<string, Answer>> = {
    'a server that heeds If-Match': give(other),
    'a server that tells the new ETag': ({ response }) =>
      response.writeHead(206, { etag: '"new"', 'content-range': 'bytes 10000-99999/100000' }).end(other.subarray(0, 90_000)),
    'a server that tells the new length': ({ response }) =>
      response.writeHead(206, { 'content-range': 'bytes 10000-100000/100001' }).end(other.subarray(firstPart)),
    'a server that begins anew': ({ response }) => response.writeHead(200, { etag: '"new"' }).end(other),
  };
  for (const [where, answer] of Object.entries(replaced))
    test(`breaks off when it is replaced between the requests, on ${where}`, async (t) => {
      const { asked, read } = await serveRanges(t, [give(), answer]);
      const { bytes, error } = await drained(await read());
      assert.deepEqual([error.kind, error.retryable, asked.length], ['interrupted', true, 2]);
      assert.ok(file.subarray(0, firstPart).equals(bytes));
    });

  test("fails with the server's refusal of the rest as the cause", async (t) => {
    const { asked, read } = await serveRanges(t, [give(), refuse(403)]);
    const { error } = await drained(await read());
    assert.ok(error.cause instanceof ConnectorError);
    assert.deepEqual([error.kind, error.cause.kind, asked.length], ['interrupted', 'forbidden', 2]);
  });

  test('is complete when the server was briefly too busy for the rest', async (t) => {
    const { ranges, read } = await serveRanges(t, [give(), refuse(503)]);
    assert.ok(file.equals(await collect(await read())));
    assert.deepEqual(ranges(), ['bytes=0-9999', 'bytes=10000-', 'bytes=10000-']);
  });

  test('continues where the rest was interrupted, if the file is unchanged', async (t) => {
    const { asked, ranges, read } = await serveRanges(t, [give(), breakAfter(5000)]);
    assert.ok(file.equals(await collect(await read())));
    assert.deepEqual(ranges(), ['bytes=0-9999', 'bytes=10000-', 'bytes=15000-']);
    assert.equal(asked[2]?.ifMatch, '"100000"');
  });

  test('fails when the rest is interrupted twice', async (t) => {
    const { asked, read } = await serveRanges(t, [give(), breakAfter(5000), breakAfter(5000)]);
    const { bytes, error } = await drained(await read());
    assert.deepEqual([error.kind, asked.length], ['interrupted', 3]);
    assert.ok(file.subarray(0, 20_000).equals(bytes));
  });

  /** Declares all bytes from `start` to `end`, but sends only some of them, without a length. */
  const sending =
    (start: number, end: number, count: number): Answer =>
    ({ response }) => {
      const head = { etag: '"100000"', 'content-range': `bytes ${start}-${end - 1}/${file.length}` };
      response.writeHead(206, head).end(pattern(start + count).subarray(start));
    };
  const wrongLengths: Readonly<Record<string, { answers: Answer[]; came: number }>> = {
    'its first part ends early': { answers: [sending(0, firstPart, 9000)], came: 9000 },
    'its rest ends early again and again': {
      answers: [give(), sending(firstPart, file.length, 10), sending(firstPart + 10, file.length, 10)],
      came: firstPart + 20,
    },
    'its rest is too long': { answers: [give(), sending(firstPart, file.length, 90_001)], came: file.length + 1 },
  };
  for (const [what, { answers, came }] of Object.entries(wrongLengths))
    test(`fails when ${what} silently`, async (t) => {
      const { read } = await serveRanges(t, answers);
      const { bytes, error } = await drained(await read());
      assert.deepEqual([error.kind, bytes.length], ['interrupted', came]);
      assert.ok(pattern(came).equals(bytes));
    });

  test('fails when the first part is interrupted, and stops the rest', async (t) => {
    const { asked, read } = await serveRanges(t, [breakAfter(6000), silent]);
    const { bytes, error } = await drained(await read());
    assert.equal(error.kind, 'interrupted');
    assert.ok(file.subarray(0, 6000).equals(bytes));
    await eventually(() => asked.every(({ response }) => response.closed), 'both requests are over');
  });

  test('fails when the first part is interrupted, whatever the response for the rest was', async (t) => {
    let cut = (): unknown => assert.fail('nothing was asked for');
    const { asked, read } = await serveRanges(t, [
      ({ begin, response }) => {
        response.write(begin().subarray(0, 6000));
        cut = () => response.destroy();
      },
      refuse(403),
    ]);
    const body = await read();
    const draining = body.drain(async () => {
      await eventually(() => asked[1]?.response.closed === true, 'the rest is refused');
      cut();
    });
    await assert.rejects(draining, { kind: 'interrupted', message: /within the body|broke/ });
  });

  test('times out when the request for the rest gets no response', async (t) => {
    const endures = passingTime(t);
    const { asked, read } = await serveRanges(t, [give(), () => undefined]);
    const { error } = await endures(drained(await read()));
    assert.deepEqual([error.kind, asked.length], ['timeout', 2]);
  });

  test('fails when the rest falls silent', async (t) => {
    const endures = passingTime(t);
    const { asked, read } = await serveRanges(t, [give(), silent, silent]);
    const { error } = await endures(drained(await read()));
    assert.deepEqual([error.kind, asked.length], ['interrupted', 3]);
  });

  for (const [when, after] of [
    ['in the first part, while the rest waits', 1],
    ['within the rest', firstPart + 1],
  ] as const) {
    test(`ends with the failure of its consumer ${when}, and stops both requests`, async (t) => {
      const failure = new ConnectorError('interrupted', 'the target went away', { retryable: true });
      const { asked, read } = await serveRanges(t, [give(long), give(long)]);
      let taken = 0;
      const draining = (await read()).drain(async (chunk) => {
        taken += chunk.byteLength;
        if (taken < after) return;
        await eventually(() => asked.length === 2, 'the rest is asked for');
        throw failure;
      });
      await assert.rejects(draining, failure);
      await eventually(() => asked.every(({ response }) => response.closed), 'both requests are over');
      assert.equal(asked.length, 2);
    });

    for (const how of ['cancelled', 'aborted'] as const)
      test(`stops both requests when it is ${how} ${when}, and frees their connections`, async (t) => {
        const { asked, read } = await serveRanges(t, [give(long), give(long)], { maxConnections: 2 });
        const controller = new AbortController();
        const body = await read(controller.signal);
        let taken = 0;
        const draining = body.drain(async (chunk) => {
          taken += chunk.byteLength;
          if (taken < after) return;
          await eventually(() => asked.length === 2, 'the rest is asked for');
          if (how === 'aborted') controller.abort();
          body.cancel();
          body.cancel();
        });
        await assert.rejects(draining, { kind: 'aborted' });
        await eventually(() => asked.every(({ response }) => response.closed), 'both requests are over');
        assert.ok(taken < long.length / 2);
        assert.ok(file.equals(await collect(await read())));
      });
  }

  for (const how of ['cancelled', 'aborted'] as const)
    test(`is requested once when it is ${how} before its first byte is taken`, async (t) => {
      const { asked, read } = await serveRanges(t, [silent]);
      const controller = new AbortController();
      const body = await read(controller.signal);
      if (how === 'aborted') controller.abort();
      else body.cancel();
      await eventually(() => asked[0]?.response.closed === true, 'the request is over');
      assert.equal(asked.length, 1);
    });
});
