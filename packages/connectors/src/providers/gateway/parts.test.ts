import assert from 'node:assert/strict';
import { readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type FileServer, eventually, startFileServer, startProxy } from '@sheaf/testbed';
import { resumesInPlace } from '../../conformance/parts/resuming.ts';
import { resumableUploadsOf } from '../../core/operations.ts';
import { namedHash } from '../../kit/hash/named-hash.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { ofs } from './index.ts';

const ask = () => ({ signal: AbortSignal.timeout(30_000) });
const dialer = createDialer({ privateNetworks: 'allow' });

function openTestLink(url: string, { user, password }: Pick<FileServer, 'user' | 'password'>, facts = new Map<string, string>()) {
  const recall = async (fact: string) => facts.get(fact);
  const remember = async (fact: string, value: string) => void facts.set(fact, value);
  return ofs.open(ofs.parse({ server: url, username: user, password }, 'OFS'), { dialer, recall, remember });
}

async function uploadsTo(t: TestContext, server: FileServer) {
  const connector = await openTestLink(server.url, server);
  t.after(() => connector.close());
  return resumableUploadsOf(connector) ?? assert.fail();
}

resumesInPlace(
  'file server',
  async () => {
    const server = await startFileServer({ keys: false });
    const proxy = () => startProxy({ target: { port: server.port } });
    return { ...server, home: server.root, proxy, open: (port) => openTestLink(`http://127.0.0.1:${port}`, server) };
  },
  { notes: false },
);

test('an upload continues after the server was killed, and an expired one is removed', async (t) => {
  const server = await startFileServer({ keys: false });
  const first = await uploadsTo(t, server);
  const bytes = Buffer.alloc(16 * 1024 * 1024 + 5, 'abc');
  const call = { ...ask(), size: bytes.length, ifExists: 'fail' as const };
  const expired = await first.beginUpload('/expired', call);
  const [old = ''] = await readdir(server.root);
  const { session, partSize, expires = 0 } = await first.beginUpload('/file', call);
  const days = (expires - Date.now() / 1000) / 86_400;
  assert.ok(days > 6.9 && days < 7.1);
  await first.sendPart('/file', Readable.from([bytes.subarray(0, partSize)]), { ...ask(), session, offset: 0, size: partSize });
  process.kill(server.pid, 'SIGKILL');
  await utimes(join(server.root, old), 1_700_000_000, 1_700_000_000);

  const again = await startFileServer({ root: server.root, keys: false });
  t.after(async () => {
    await again.stop();
    await server.stop();
  });
  const second = await uploadsTo(t, again);
  await eventually(async () => !(await readdir(server.root)).includes(old), 'the expired upload is gone');
  await assert.rejects(second.uploadState('/expired', { ...ask(), session: expired.session }), { kind: 'notFound' });
  assert.deepEqual(await second.uploadState('/file', { ...ask(), session }), { offset: partSize });
  await second.sendPart('/file', Readable.from([bytes.subarray(partSize)]), { ...ask(), session, offset: partSize, size: 5 });
  await second.finishUpload('/file', { ...call, session, parts: [], hashes: {} });
  assert.ok((await readFile(join(server.root, 'file'))).equals(bytes));
  assert.deepEqual(await readdir(server.root), ['file']);
});

test("bytes that changed on the server's disk are damaged, and replace nothing", async (t) => {
  const server = await startFileServer({ keys: false });
  t.after(() => server.stop());
  const uploads = await uploadsTo(t, server);
  await writeFile(join(server.root, 'file'), 'the old one');
  const bytes = Buffer.from('the new one');
  const hash = namedHash('sha256');
  void hash.update(bytes);
  const call = { ...ask(), size: bytes.length, ifExists: 'replace' as const, hashes: { sha256: hash.digest() }, parts: [] };
  const { session } = await uploads.beginUpload('/file', call);
  await uploads.sendPart('/file', Readable.from([bytes]), { ...ask(), session, offset: 0, size: bytes.length });
  const [partial = ''] = (await readdir(server.root)).filter((name) => name !== 'file');
  await writeFile(join(server.root, partial), 'the NEW one');
  await assert.rejects(uploads.finishUpload('/file', { ...call, session }), { kind: 'damaged' });
  assert.equal(await readFile(join(server.root, 'file'), 'utf8'), 'the old one');
  await uploads.sendPart('/file', Readable.from([bytes]), { ...ask(), session, offset: 0, size: bytes.length });
  const { entry } = await uploads.finishUpload('/file', { ...call, session });
  assert.deepEqual(entry.hashes, call.hashes);
});

test('an older server rejects uploads in parts as unsupported, and has none from the next opening on', async (t) => {
  const older = createServer((request, response) => {
    const answer = (status: number, body: string) => void request.resume().on('end', () => response.writeHead(status).end(body));
    if (request.url === '/sheaf/v1/info') answer(200, '{"protocol":1,"capabilities":["list","stat","read","write"]}');
    else if (request.url?.startsWith('/sheaf/v1/entries')) answer(200, '{"end":true}\n');
    else answer(405, '{"code":"unsupported","message":"there is no such call"}');
  });
  await new Promise<void>((resolve) => void older.listen(0, '127.0.0.1', resolve));
  t.after(() => older.close());
  const facts = new Map<string, string>();
  const open = async () => {
    const connector = await openTestLink(
      `http://127.0.0.1:${(older.address() as AddressInfo).port}`,
      { user: 'mara', password: 'x' },
      facts,
    );
    t.after(() => connector.close());
    return connector;
  };
  const first = await open();
  await assert.rejects(async () => first.beginUpload?.('/file', { ...ask(), size: 5, ifExists: 'fail' }), { kind: 'unsupported' });
  for await (const _batch of first.list('/', ask()));
  const second = await open();
  assert.equal(resumableUploadsOf(second), undefined);
  assert.equal(second.hashes, undefined);
  assert.ok(second.write);
});
