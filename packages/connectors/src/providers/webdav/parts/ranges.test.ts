import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startApache, startProxy } from '@sheaf/testbed';
import { resumesInPlace } from '../../../conformance/parts/resuming.ts';
import { resumableUploadsOf } from '../../../core/operations.ts';
import { createDialer } from '../../../kit/net/dialer.ts';
import { parseWebdavConfig } from '../config.ts';
import { openKnownWebdav, openWebdav } from '../connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(30_000) });

resumesInPlace('WebDAV on Apache', async () => {
  const server = await startApache();
  const login = { username: server.user, password: server.password, authType: 'basic' };
  return {
    ...server,
    proxy: () => startProxy({ target: { port: server.port } }),
    open(port, leftovers) {
      const address = new URL(server.url);
      address.port = String(port);
      return openWebdav(parseWebdavConfig({ server: address.href, ...login }, 'webdav'), { dialer, leftovers });
    },
  };
});

/** Opens links to an Apache behind a proxy that removes Content-Range while `drops` returns true; the links share their stored facts. */
async function without(t: TestContext, drops: () => boolean) {
  const server = await startApache();
  const puts: string[] = [];
  const proxy = createServer((request, response) => {
    const range = request.headers['content-range'];
    if (request.method === 'PUT') puts.push(`${decodeURIComponent(request.url ?? '').slice('/dav/'.length)} ${range ?? 'whole'}`);
    const {
      'content-range': _range,
      expect: _expect,
      host: _host,
      connection: _connection,
      'transfer-encoding': _coding,
      ...headers
    } = request.headers;
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const body = chunks.length > 0 || request.method === 'PUT' ? { body: Buffer.concat(chunks) } : {};
        if (range !== undefined && !drops()) headers['content-range'] = range;
        const told = Object.entries(headers).filter(([name]) => name !== 'content-length') as [string, string][];
        fetch(`http://127.0.0.1:${server.port}${request.url}`, { method: request.method ?? 'GET', headers: told, ...body })
          .then(async (answer) => {
            const { 'transfer-encoding': _chunked, ...given } = Object.fromEntries(answer.headers);
            response.writeHead(answer.status, given).end(Buffer.from(await answer.arrayBuffer()));
          })
          .catch(() => response.destroy());
      });
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await server.stop();
  });
  const facts = new Map<string, string>();
  const info = {
    server: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/dav`,
    username: server.user,
    password: server.password,
  };
  const open = async () => {
    const recall = async (fact: string) => facts.get(fact);
    const remember = async (fact: string, value: string) => void facts.set(fact, value);
    const connector = await openKnownWebdav(parseWebdavConfig(info, 'webdav'), { dialer, recall, remember });
    t.after(() => connector.close());
    return connector;
  };
  return { home: server.home, facts, open, puts };
}

test('a server that replaces a file with the part is detected by a probe of two bytes, and then has no uploads in parts', async (t) => {
  const { home, facts, open, puts } = await without(t, () => true);
  const first = await open();
  await assert.rejects(async () => first.beginUpload?.('/file', { ...ask(), size: 10, ifExists: 'replace' }), { kind: 'unsupported' });
  assert.ok(puts.length === 2 && puts.every((put) => put.startsWith('.sheaf-partial-')), puts.join(', '));
  assert.equal(facts.get('parts'), 'none');
  assert.deepEqual(
    (await readdir(home)).filter((name) => name !== '.DAV'),
    [],
  );
  const second = await open();
  assert.equal(second.beginUpload, undefined);
  assert.ok(second.write);
});

test('a server that starts to replace files after the probe fails the upload instead of losing bytes silently', async (t) => {
  let drops = false;
  const { home, facts, open } = await without(t, () => drops);
  const uploads = resumableUploadsOf(await open()) ?? assert.fail();
  const { session } = await uploads.beginUpload('/file', { ...ask(), size: 10, ifExists: 'fail' });
  assert.equal(facts.get('parts'), 'ranges');
  const send = (offset: number, size: number) =>
    uploads.sendPart('/file', Readable.from([Buffer.alloc(size)]), { ...ask(), session, offset, size });
  await send(0, 6);
  drops = true;
  await assert.rejects(send(6, 4), { kind: 'interrupted' });
  await assert.rejects(uploads.uploadState('/file', { ...ask(), session }), { kind: 'notFound' });
  assert.deepEqual(
    (await readdir(home)).filter((name) => name !== '.DAV'),
    [],
  );
  await assert.rejects(uploads.beginUpload('/file', { ...ask(), size: 10, ifExists: 'fail' }), { kind: 'unsupported' });
});
