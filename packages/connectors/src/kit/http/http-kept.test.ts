import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import type { Connector } from '../../core/connector.ts';
import { conclude } from '../../layers/conclude.ts';
import { layered } from '../../layers/layered.ts';
import { serveHttp } from '../testing/http-server.ts';
import type { HttpClient } from './http.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const kilobytes = (count: number) => Buffer.alloc(count * 1024, 'x');

/** Framings in which servers send the body of a refusal. */
const bodies: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'of known length': (response) => void response.setHeader('content-length', 5).end('sorry'),
  'in chunks': (response) => {
    response.write('so');
    response.end('rry');
  },
  'that ends with the connection': (response) => void response.setHeader('connection', 'close').end('sorry'),
  'of a megabyte': (response) => void response.end(kilobytes(1024)),
  'of a megabyte in chunks': (response) => {
    for (let sent = 0; sent < 16; sent++) response.write(kilobytes(64));
    response.end();
  },
  'that breaks off': (response) => {
    response.setHeader('content-length', 100).write('so');
    response.socket?.end();
  },
  'of no bytes': (response) => void response.end(),
};
const statuses = [300, 301, 307, 400, 401, 403, 404, 405, 409, 412, 416, 423, 429, 500, 501, 502, 503, 504, 507];

describe('a refusal whose body is never read', () => {
  for (const [title, send] of Object.entries(bodies))
    it(`${title} leaves the only connection free, whatever its status`, async () => {
      const { client, close } = await serveHttp(
        (request, response) => {
          response.statusCode = Number(request.url?.slice(1));
          if (response.statusCode === 200) response.end('well');
          else send(response);
        },
        { maxConnections: 1 },
      );
      try {
        for (const status of statuses) {
          const refused = await client.request({ method: 'GET', path: `/${status}`, ...ask() });
          assert.equal(refused.status, status);
          assert.equal(await (await client.request({ method: 'GET', path: '/200', ...ask() })).text(), 'well');
        }
      } finally {
        close();
      }
    });

  it('can still be read later, or reports that it was incomplete or too long', async () => {
    const { client, close } = await serveHttp((request, response) => {
      response.statusCode = 404;
      bodies[decodeURIComponent(request.url?.slice(1) ?? '')]?.(response);
    });
    try {
      const told = async (title: string) =>
        (await client.request({ method: 'GET', path: `/${encodeURIComponent(title)}`, ...ask() })).text();
      for (const title of ['of known length', 'in chunks', 'that ends with the connection']) assert.equal(await told(title), 'sorry');
      assert.equal(await told('of no bytes'), '');
      await assert.rejects(told('of a megabyte'), { kind: 'unexpected' });
      await assert.rejects(told('that breaks off'), { kind: 'interrupted' });
    } finally {
      close();
    }
  });

  it('is abandoned when it never ends', async () => {
    const { client, close } = await serveHttp(
      (request, response) => {
        if (request.url === '/') response.end('well');
        else response.writeHead(403).write('so');
      },
      { maxConnections: 1 },
    );
    try {
      assert.equal((await client.request({ method: 'GET', path: '/closed', ...ask() })).status, 403);
      assert.equal(await (await client.request({ method: 'GET', path: '/', ...ask() })).text(), 'well');
    } finally {
      close();
    }
  });

  it('leaves nothing when the caller leaves while it arrives', async () => {
    const { client, close } = await serveHttp(
      (request, response) => {
        if (request.url === '/') response.end('well');
        else response.writeHead(403).write('so');
      },
      { maxConnections: 1 },
    );
    try {
      await assert.rejects(client.request({ method: 'GET', path: '/closed', signal: AbortSignal.timeout(50) }), { kind: 'aborted' });
      assert.equal(await (await client.request({ method: 'GET', path: '/', ...ask() })).text(), 'well');
    } finally {
      close();
    }
  });
});

/** A connector that never reads the body of a success, in each kind of call. */
const forgetful = (client: HttpClient): Connector => {
  const forget = async (signal: AbortSignal) => void (await client.request({ method: 'GET', path: '/', signal }));
  const entry = { name: 'a', kind: 'file' } as const;
  return {
    async *list(_folder, { signal }) {
      await forget(signal);
      yield [entry];
    },
    async stat(_path, { signal }) {
      await forget(signal);
      return entry;
    },
    async read(_file, { signal }) {
      await forget(signal);
      return { entry: {}, drain: () => Promise.resolve(), cancel: () => undefined };
    },
    async remove(_path, { signal }) {
      await forget(signal);
      throw new TypeError('a slip');
    },
    close: () => Promise.resolve(),
  };
};

it('the end of a call ends the responses that the connector has not read', async () => {
  const { client, close } = await serveHttp((_request, response) => void response.end(kilobytes(1024)), { maxConnections: 1 });
  const connector = layered(forgetful(client), conclude());
  try {
    await connector.stat('/a', ask());
    for await (const batch of connector.list('/', ask())) assert.equal(batch.length, 1);
    for await (const batch of connector.list('/', ask())) if (batch.length > 0) break;
    (await connector.read('/a', ask())).cancel();
    await (await connector.read('/a', ask())).drain(() => undefined);
    await assert.rejects(async () => connector.remove?.('/a', ask()), TypeError);
    assert.equal((await connector.stat('/a', ask())).name, 'a');
  } finally {
    close();
  }
});
