import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConnectorErrorKind } from '../../core/error.ts';
import { isKind } from '../../core/error.ts';
import { collect } from '../body/body.ts';
import { createDialer } from '../net/dialer.ts';
import { createHttp } from './http-client.ts';
import type { HttpOptions } from './http.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const { signal } = new AbortController();
const get = { method: 'GET', path: '/', signal };
const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

/** Starts a server that handles every connection with `serve`, whatever the request is. */
async function against(serve: (socket: Socket, connection: number) => void, options: Partial<HttpOptions> = {}) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
    serve(socket, sockets.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = createHttp({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, dialer, verify: true, ...options });
  cleanups.push(() => {
    client.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { client, sockets };
}

const answering = (text: string) => (socket: Socket) => void socket.once('data', () => socket.end(text, 'latin1'));
const rejects = (promise: Promise<unknown>, kind: ConnectorErrorKind): Promise<void> =>
  assert.rejects(promise, (error) => isKind(error, kind));

describe('createHttp against servers that send wrong data, stall or break off', () => {
  for (const [what, head] of Object.entries({
    'something that is not HTTP': 'what do you want?\r\n\r\n',
    'HTTP/2 or an unknown version': 'HTTP/2.0 200 OK\r\n\r\n',
    'a malformed status': 'HTTP/1.1 2000 OK\r\n\r\n',
    'folded header lines': 'HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n',
    'a header without a colon': 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n',
    'a space before the colon': 'HTTP/1.1 200 OK\r\ncontent-length : 3\r\n\r\nabc',
    'lengths that contradict each other': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd',
    'a length that is no number': 'HTTP/1.1 200 OK\r\ncontent-length: +3\r\n\r\nabc',
    'a length beyond all numbers': 'HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\nabc',
    'a length and chunks': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    'a transfer coding nobody asked for': 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'a head without end': `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`,
    'another protocol': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
    'interim answers without end': 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100),
  }))
    it(`${what} is unexpected`, async () => {
      const { client } = await against(answering(head));
      await rejects(client.request(get), 'unexpected');
    });

  for (const [what, bytes] of Object.entries({
    SSH: 'SSH-2.0-OpenSSH_9.9\r\n',
    FTP: '220-Welcome\r\n220 ready\r\n',
    IMAP: '* OK ready\r\n',
    'TLS, with an alert': '\x15\x03\x03\0\x02\x02\x46',
  }))
    it(`a server of ${what} is recognised by its first bytes`, async () => {
      const { client } = await against(answering(bytes));
      await rejects(client.request(get), 'wrongProtocol');
    });

  for (const [what, body] of Object.entries({
    'a chunk without a size': 'zz\r\nabc\r\n0\r\n\r\n',
    'a chunk longer than it says': '2\r\nabc\r\n0\r\n\r\n',
    'a chunk size beyond all numbers': 'ffffffffffffffff\r\nabc',
    'a chunk line without end': `3;${'x'.repeat(10_000)}`,
    'a bare line feed between chunks': '3\nabc\n0\n\n',
    'trailers without end': `0\r\n${'a: b\r\n'.repeat(20_000)}`,
  }))
    it(`${what} is unexpected`, async () => {
      const { client } = await against(answering(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`));
      await rejects((await client.request(get)).text(), 'unexpected');
    });

  for (const [what, answer] of Object.entries({
    'a body shorter than its length': 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
    'a body cut between chunks': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
    'a body cut within a chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n30\r\nabc',
  }))
    it(`${what} is interrupted`, async () => {
      const { client } = await against(answering(answer));
      await rejects(collect((await client.request(get)).body()), 'interrupted');
    });

  it('a head cut in the middle, and a missing one, are interrupted', async () => {
    for (const head of ['HTTP/1.1 200 OK\r\ncontent-le', '']) {
      const { client } = await against(answering(head));
      await rejects(client.request(get), 'interrupted');
    }
  });

  it('a head that arrives byte by byte must be complete in time', async () => {
    const { client } = await against(
      (socket) => {
        const bytes = `HTTP/1.1 200 OK\r\na: ${'b'.repeat(10_000)}`.split('').values();
        const drip = setInterval(() => socket.write(bytes.next().value ?? ''), 20);
        socket.on('close', () => clearInterval(drip));
      },
      { headTimeout: 300, idleTimeout: 10_000 },
    );
    await rejects(client.request(get), 'timeout');
  });

  it('a body that falls silent is interrupted, a slow consumer is not', async () => {
    const { client } = await against(
      (socket) => void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')),
      { idleTimeout: 1000 },
    );
    await rejects((await client.request(get)).text(), 'interrupted');
    const { client: other } = await against(
      (socket) => void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc')),
      { idleTimeout: 1000 },
    );
    const body = (await other.request(get)).body();
    await body.drain(async () => {
      const end = performance.now() + 1500;
      while (performance.now() < end) await nextTurn();
    });
  });

  it('a body without a length ends with the connection', async () => {
    const { client } = await against(answering('HTTP/1.0 200 OK\r\n\r\nabc'));
    assert.equal(await (await client.request(get)).text(), 'abc');
    assert.equal(await (await client.request(get)).text(), 'abc');
  });

  it('bytes after a response are not taken for the next one', async () => {
    const two = 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nb';
    const { client, sockets } = await against((socket) => void socket.on('data', () => socket.write(two)));
    assert.equal(await (await client.request(get)).text(), 'a');
    assert.equal(await (await client.request(get)).text(), 'a');
    assert.equal(sockets.length, 2);
  });

  it('a response in pieces of one byte is read, interim responses are skipped', async () => {
    const text =
      'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\nt: u\r\n\r\n';
    const { client } = await against((socket) => {
      const drip = async () => {
        for (const byte of text.split('')) {
          socket.write(byte);
          await nextTurn();
        }
      };
      socket.once('data', () => void drip());
    });
    assert.equal(await (await client.request(get)).text(), 'abc');
  });

  it('a kept connection that the server has closed is replaced, for requests that can be repeated', async () => {
    const serve = (socket: Socket, connection: number) => {
      let asked = 0;
      socket.on('data', () => {
        asked += 1;
        if (asked === 1) socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${connection}`);
        else socket.destroy();
      });
    };
    const { client } = await against(serve);
    assert.equal(await (await client.request(get)).text(), '1');
    assert.equal(await (await client.request(get)).text(), '2');
    assert.equal(await (await client.request({ ...get, method: 'PUT', body: 'x' })).text(), '3');
    await rejects(client.request({ ...get, method: 'MOVE' }), 'interrupted');
  });

  it('an early response is read while bytes are still being sent, and nothing more is sent', async () => {
    let came = 0;
    const { client } = await against((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      socket.on('data', (chunk: Buffer) => {
        came += chunk.length;
        if (came > 1_000_000) socket.end('HTTP/1.1 507 Insufficient Storage\r\ncontent-length: 4\r\n\r\nfull');
      });
    });
    let given = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          given += 65_536;
          yield Buffer.alloc(65_536);
        }
      })(),
    );
    const answer = await client.request({ ...get, method: 'PUT', body: endless });
    assert.equal(answer.status, 507);
    assert.equal(await answer.text(), 'full');
    assert.ok(endless.destroyed);
    assert.ok(given < 100_000_000);
  });

  it('success before the bytes were sent is not trusted', async () => {
    const { client } = await against(
      (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n'),
    );
    const body = new Readable({ read: () => undefined });
    await rejects(client.request({ ...get, method: 'PUT', body, size: 5 }), 'unexpected');
    body.destroy();
  });

  it('a server that stops reading is interrupted', async () => {
    const { client } = await against((socket) => void socket.pause().write('HTTP/1.1 100 Continue\r\n\r\n'), {
      idleTimeout: 300,
    });
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536);
      })(),
    );
    await rejects(client.request({ ...get, method: 'PUT', body: endless }), 'interrupted');
    assert.ok(endless.destroyed);
  });

  it('a server that ignores Expect gets the bytes after a second', async () => {
    const { client } = await against((socket) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        if (text.endsWith('hello')) socket.write('HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const answer = await client.request({ ...get, method: 'PUT', body: Readable.from([Buffer.from('hello')]), size: 5 });
    assert.equal(answer.status, 201);
    await answer.discard();
  });

  it('a body that breaks at its source ends the request as interrupted', async () => {
    const { client, sockets } = await against((socket) => void socket.resume().write('HTTP/1.1 100 Continue\r\n\r\n'));
    const body = Readable.from(
      (function* () {
        yield Buffer.alloc(10);
        throw new Error('the browser went away');
      })(),
    );
    await rejects(client.request({ ...get, method: 'PUT', body, size: 20 }), 'interrupted');
    const [socket] = sockets;
    assert.ok(socket);
    if (!socket.closed) await once(socket, 'close');
  });

  it('a connection closes itself when it has been idle for as long as the server keeps it', async () => {
    const { client, sockets } = await against(
      (socket) => void socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 1\r\n\r\na')),
    );
    await (await client.request(get)).text();
    const [socket] = sockets;
    assert.ok(socket);
    if (!socket.closed) await once(socket, 'close');
  });
});
