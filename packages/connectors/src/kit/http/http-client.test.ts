import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { isKind } from '../../core/error.ts';
import { collect } from '../body/body.ts';
import { serveHttp } from '../testing/http-server.ts';
import type { HttpOptions } from './http.ts';

const { signal } = new AbortController();
const cleanups: (() => void)[] = [];
after(() => cleanups.forEach((cleanup) => cleanup()));

async function clientOf(handler: RequestListener, options: Partial<HttpOptions> = {}) {
  const served = await serveHttp(handler, options);
  cleanups.push(served.close);
  return served;
}

const whole = async (request: IncomingMessage): Promise<Buffer> => Buffer.concat(await request.toArray());
const pattern = (length: number): Buffer => Buffer.alloc(length, 'the quick brown fox jumps over the lazy dog 0123456789');

describe('createHttp', () => {
  it('returns status, headers and text of a response', async () => {
    const { client } = await clientOf((request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.writeHead(207, {
        'x-seen': `${request.method} ${request.url} ${request.headers.host} ${String(request.headers['x-mine'])}`,
      });
      response.end('grüße');
    });
    const answer = await client.request({ method: 'PROPFIND', path: '/a%20b?c', headers: { 'x-mine': '1' }, signal });
    assert.equal(answer.status, 207);
    assert.match(answer.headers['x-seen'] ?? '', /^PROPFIND \/a%20b\?c 127\.0\.0\.1:\d+ 1$/);
    assert.equal(answer.headers['set-cookie'], 'a=1, b=2');
    assert.equal(await answer.text(), 'grüße');
  });

  it('returns a body of known length unchanged', async () => {
    const bytes = pattern(7_654_321);
    const { client } = await clientOf((_request, response) => {
      response.setHeader('content-length', bytes.length);
      response.end(bytes);
    });
    const body = (await client.request({ method: 'GET', path: '/', signal })).body({ etag: 'x' });
    assert.equal(body.size, bytes.length);
    assert.equal(body.entry.etag, 'x');
    assert.ok(bytes.equals(await collect(body)));
  });

  it('returns a chunked body unchanged, whatever the chunks', async () => {
    const bytes = pattern(3_000_001);
    const { client } = await clientOf((_request, response) => {
      for (let from = 0, step = 1; from < bytes.length; from += step, step = (step * 7) % 100_003)
        response.write(bytes.subarray(from, from + step));
      response.end();
    });
    for (let round = 0; round < 2; round += 1) {
      const body = (await client.request({ method: 'GET', path: '/', signal })).body();
      assert.equal(body.size, undefined);
      assert.ok(bytes.equals(await collect(body)));
    }
  });

  it('keeps lent memory until the consumer is done, and pauses the source until then', async () => {
    const bytes = pattern(20_000_000);
    let written = 0;
    const { client } = await clientOf((_request, response) => {
      Readable.from(slices(bytes, 65_536, (count) => (written += count))).pipe(response);
    });
    const body = (await client.request({ method: 'GET', path: '/', signal })).body();
    let seen = 0;
    await body.drain(async (chunk) => {
      const before = Buffer.from(chunk);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (seen === 0) assert.ok(written < bytes.length, 'the source was stopped');
      assert.ok(before.equals(chunk));
      assert.ok(before.equals(bytes.subarray(seen, seen + chunk.byteLength)));
      seen += chunk.byteLength;
    });
    assert.equal(seen, bytes.length);
  });

  it('reuses one connection and never opens more than allowed', async () => {
    let under = 0;
    let most = 0;
    const { client, connections } = await clientOf(
      (_request, response) => {
        under += 1;
        most = Math.max(most, under);
        setImmediate(() => {
          under -= 1;
          response.end('x');
        });
      },
      { maxConnections: 3 },
    );
    const ask = async () => (await client.request({ method: 'GET', path: '/', signal })).text();
    await ask();
    await ask();
    assert.equal(connections(), 1);
    await Promise.all(Array.from({ length: 20 }, ask));
    assert.ok(most <= 3);
    assert.equal(connections(), 3);
  });

  it('sends a stream of known size with its length and of unknown size in chunks', async () => {
    const bytes = pattern(2_000_003);
    const { client } = await clientOf((request, response) => {
      const { 'content-length': length, 'transfer-encoding': coding, expect } = request.headers;
      void whole(request).then((came) => response.end(`${bytes.equals(came)} ${length} ${coding} ${expect}`));
    });
    const send = async (size?: number) =>
      (
        await client.request({
          method: 'PUT',
          path: '/',
          body: Readable.from(slices(bytes, 65_000)),
          ...(size !== undefined && { size }),
          signal,
        })
      ).text();
    assert.equal(await send(bytes.length), 'true 2000003 undefined 100-continue');
    assert.equal(await send(), 'true undefined chunked 100-continue');
  });

  it('accepts a refusal before the body is read and keeps the stream for a retry', async () => {
    const { client, server } = await clientOf((_request, response) => response.end());
    let refusals = 0;
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      if (request.headers.authorization) {
        response.writeContinue();
        void whole(request).then((came) => response.end(came));
        return;
      }
      refusals += 1;
      response.writeHead(401).end();
    });
    const body = Readable.from([Buffer.from('precious')]);
    const ask = { method: 'PUT', path: '/', body, size: 8, signal };
    const refused = await client.request(ask);
    assert.equal(refused.status, 401);
    await refused.discard();
    assert.equal(body.readableDidRead, false);
    const answer = await client.request({ ...ask, headers: { authorization: 'x' } });
    assert.equal(await answer.text(), 'precious');
    assert.equal(refusals, 1);
  });

  it('sends without Expect to a server that rejects it', async () => {
    const { client, server } = await clientOf((request, response) => {
      void whole(request).then((came) => response.end(came));
    });
    server.on('checkContinue', (_request: IncomingMessage, response: ServerResponse) => response.writeHead(417).end());
    const answer = await client.request({ method: 'PUT', path: '/', body: Readable.from([Buffer.from('abc')]), size: 3, signal });
    assert.equal(await answer.text(), 'abc');
  });

  it('never accepts a body of another length than announced', async () => {
    for (const [text, size] of [
      ['too long', 7],
      ['not empty', 0],
      ['too short', 10],
    ] as const) {
      let whole = false;
      const { client } = await clientOf((request, response) => {
        request.on('end', () => (whole = true)).resume();
        request.on('error', () => response.destroy());
      });
      const body = Readable.from(text.split('').map((letter) => Buffer.from(letter)));
      await assert.rejects(client.request({ method: 'PUT', path: '/', body, size, signal }), (error) => isKind(error, 'sizeDiffers'));
      assert.equal(whole, false);
      assert.equal(body.destroyed, true);
    }
  });

  it('sends an empty stream when it has ended, even to a server that takes the head for the whole request, and again on request', async () => {
    let asked = 0;
    const { client } = await clientOf((request, response) => {
      asked += 1;
      response.writeHead(request.headers.authorization ? 200 : 401).end(request.headers['content-length']);
    });
    const body = new PassThrough();
    const ask = { method: 'PUT', path: '/', body, size: 0, signal };
    const refused = client.request(ask);
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(asked, 0);
    body.end();
    assert.equal((await refused).status, 401);
    await (await refused).discard();
    assert.equal(body.readableDidRead, false);
    const answer = await client.request({ ...ask, headers: { authorization: 'x' } });
    assert.deepEqual([answer.status, await answer.text()], [200, '0']);
  });

  it('aborts an empty stream that does not end, or breaks, before anything is sent', async () => {
    const { client, connections } = await clientOf((_request, response) => response.end());
    const given = new AbortController();
    const [endless, broken] = [new PassThrough(), new PassThrough()];
    const hanging = client.request({ method: 'PUT', path: '/', body: endless, size: 0, signal: given.signal });
    given.abort();
    await assert.rejects(hanging, (error) => isKind(error, 'aborted'));
    const breaking = client.request({ method: 'PUT', path: '/', body: broken, size: 0, signal });
    broken.destroy(new Error('the source broke'));
    await assert.rejects(breaking, (error) => isKind(error, 'interrupted'));
    assert.deepEqual([endless.destroyed, connections()], [true, 0]);
  });

  it('reads nothing after HEAD and 204', async () => {
    const { client, connections } = await clientOf((request, response) => {
      if (request.method === 'HEAD') response.setHeader('content-length', 5).end();
      else response.writeHead(204).end();
    });
    const head = await client.request({ method: 'HEAD', path: '/', signal });
    assert.equal(head.headers['content-length'], '5');
    await head.discard();
    assert.equal(await (await client.request({ method: 'DELETE', path: '/', signal })).text(), '');
    assert.equal(connections(), 1);
  });

  it('rejects a text longer than the limit', async () => {
    const { client } = await clientOf((_request, response) => response.end(pattern(5000)));
    const answer = await client.request({ method: 'GET', path: '/', signal });
    await assert.rejects(answer.text(4999), (error) => isKind(error, 'unexpected'));
  });

  it('stops the source when the signal fires or the body is cancelled', async () => {
    for (const way of ['abort', 'cancel']) {
      const closed = Promise.withResolvers<void>();
      const { client } = await clientOf((request, response) => {
        request.socket.on('close', () => closed.resolve());
        Readable.from(slices(pattern(50_000_000), 65_536)).pipe(response);
      });
      const controller = new AbortController();
      const body = (await client.request({ method: 'GET', path: '/', signal: controller.signal })).body();
      const drained = body.drain(async () => (way === 'abort' ? controller.abort() : body.cancel()));
      await assert.rejects(drained, (error) => isKind(error, 'aborted'));
      await closed.promise;
    }
  });

  it('stops waiting for a connection when the signal fires', async () => {
    const { client } = await clientOf((_request, response) => response.write('x'), { maxConnections: 1 });
    const first = await client.request({ method: 'GET', path: '/', signal });
    const controller = new AbortController();
    const second = client.request({ method: 'GET', path: '/', signal: controller.signal });
    controller.abort();
    await assert.rejects(second, (error) => isKind(error, 'aborted'));
    first.body().cancel();
    const third = await client.request({ method: 'GET', path: '/', signal });
    assert.equal(third.status, 200);
    third.body().cancel();
  });

  it('sends no header or path that would form another request', async () => {
    const { client } = await clientOf((_request, response) => response.end());
    const ask = { method: 'GET', path: '/', signal };
    await assert.rejects(client.request({ ...ask, headers: { a: 'b\r\nc: d' } }), (error) => isKind(error, 'unexpected'));
    await assert.rejects(client.request({ ...ask, path: '/ HTTP/1.1\r\n' }), (error) => isKind(error, 'unexpected'));
  });
});

function* slices(bytes: Buffer, step: number, onSlice: (count: number) => void = () => undefined): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += step) {
    onSlice(Math.min(step, bytes.length - from));
    yield bytes.subarray(from, from + step);
  }
}
