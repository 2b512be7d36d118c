import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startNextcloud, startProxy } from '@sheaf/testbed';
import { notebook } from '../../../conformance/leftovers.ts';
import type { Connector } from '../../../core/connector.ts';
import { resumableUploadsOf } from '../../../core/operations.ts';
import type { SentPart } from '../../../core/upload.ts';
import { createDialer } from '../../../kit/net/dialer.ts';
import { parseWebdavConfig } from '../config.ts';
import { openKnownWebdav } from '../connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(30_000) });
const partSize = 16 * 1024 * 1024;
const bytes = Buffer.alloc(partSize + 1000, 'abcdefgh1');
const sha1 = createHash('sha1').update(bytes).digest('hex');
const partAt = (offset: number) => bytes.subarray(offset, Math.min(bytes.length, offset + partSize));

async function cloud(t: TestContext, kind: 'nextcloud' | 'owncloud') {
  const server = await startNextcloud({ kind });
  const line = await startProxy({ target: { port: server.port } });
  t.after(async () => {
    await line.stop();
    await server.stop();
  });
  const { notes, leftovers } = notebook();
  const facts = new Map<string, string>();
  const recall = async (fact: string) => facts.get(fact);
  const remember = async (fact: string, value: string) => void facts.set(fact, value);
  const open = async (path = new URL(server.url).pathname) => {
    const info = { server: `http://127.0.0.1:${line.port}${path}`, username: server.user, password: server.password };
    const connector = await openKnownWebdav(parseWebdavConfig(info, 'webdav'), { dialer, recall, remember, leftovers });
    t.after(() => connector.close());
    return connector;
  };
  const names = async () => (await readdir(server.home)).filter((name) => name !== '.DAV');
  return { ...server, line, open, names, notes, facts };
}

const uploadsOf = (connector: Connector) => resumableUploadsOf(connector) ?? assert.fail();

async function sent(connector: Connector, session: string, offset: number, path = '/file'): Promise<SentPart> {
  const { length: size } = partAt(offset);
  const body = Readable.from([partAt(offset)]);
  return { offset, size, receipt: await uploadsOf(connector).sendPart(path, body, { ...ask(), session, offset, size }) };
}

test('an interrupted chunk is missing, and the others are kept', async (t) => {
  const { open, line, names, home } = await cloud(t, 'nextcloud');
  const uploads = uploadsOf(await open());
  const call = { ...ask(), size: bytes.length, ifExists: 'fail' as const };
  const { session, kept } = await uploads.beginUpload('/file', call);
  kept();
  const last = await sent(await open(), session, partSize);
  async function* half(): AsyncGenerator<Uint8Array> {
    yield partAt(0).subarray(0, partSize / 2);
    line.cut();
    yield partAt(0).subarray(partSize / 2);
  }
  const broken = uploads.sendPart('/file', Readable.from(half(), { objectMode: false }), { ...ask(), session, offset: 0, size: partSize });
  await assert.rejects(broken);
  assert.deepEqual(await uploads.uploadState('/file', { ...ask(), session }), { parts: [last] });
  await assert.rejects(uploads.finishUpload('/file', { ...call, session, parts: [last], hashes: {} }), { kind: 'sizeDiffers' });
  const first = await sent(await open(), session, 0);
  assert.deepEqual(await names(), []);
  await uploads.finishUpload('/file', { ...call, session, parts: [first, last], hashes: {} });
  assert.ok((await readFile(join(home, 'file'))).equals(bytes));
  assert.deepEqual(await names(), ['file']);
});

test("an upload in chunks has a note until its session is stored, and the note's cleanup ends the upload", async (t) => {
  const { open, notes } = await cloud(t, 'nextcloud');
  const connector = await open();
  const uploads = uploadsOf(connector);
  const { session, kept } = await uploads.beginUpload('/file', { ...ask(), size: bytes.length, ifExists: 'fail' });
  assert.deepEqual(
    notes.map(({ end }) => end),
    [undefined],
  );
  await connector.clearUp?.(notes[0]?.text ?? '', ask());
  await assert.rejects(uploads.uploadState('/file', { ...ask(), session }), { kind: 'notFound' });
  await assert.rejects(sent(connector, session, 0), { kind: 'notFound' });
  kept();
  assert.equal(notes[0]?.end, 'gone');
  await assert.rejects(async () => connector.clearUp?.(JSON.stringify(['', '../files/mara']), ask()), { kind: 'unexpected' });
});

test('a large file has chunks large enough for their maximum number', async (t) => {
  const { open } = await cloud(t, 'nextcloud');
  const size = 2 * 1024 ** 4;
  const upload = await uploadsOf(await open()).beginUpload('/file', { ...ask(), size, ifExists: 'fail' });
  assert.ok(size / upload.partSize <= 10_000 && upload.partSize % (1024 * 1024) === 0);
});

test('a link with the older URL has uploads in chunks too, under the id of its account', async (t) => {
  const { open, home } = await cloud(t, 'nextcloud');
  const connector = await open('/remote.php/webdav');
  await connector.createFolder?.('/folder', ask());
  const call = { ...ask(), size: bytes.length, ifExists: 'fail' as const };
  const { session } = await uploadsOf(connector).beginUpload('/folder/file', call);
  const parts = [await sent(connector, session, 0, '/folder/file'), await sent(connector, session, partSize, '/folder/file')];
  await uploadsOf(connector).finishUpload('/folder/file', { ...call, session, parts, hashes: {} });
  assert.ok((await readFile(join(home, 'folder/file'))).equals(bytes));
});

test('ownCloud reports the hash it computed: different bytes are damaged', async (t) => {
  const { open, home, facts } = await cloud(t, 'owncloud');
  const first = await open();
  const written = await first.write?.('/small', Readable.from([Buffer.from('abc')]), { ...ask(), ifExists: 'fail', size: 3 });
  assert.equal(written?.hashes?.sha1, createHash('sha1').update('abc').digest('hex'));
  assert.equal(facts.get('hash'), 'sha1');
  const connector = await open();
  assert.deepEqual(connector.hashes, ['sha1']);
  const call = { ...ask(), size: bytes.length, ifExists: 'replace' as const };
  for (const [expected, refused] of [
    [createHash('sha1').update('other').digest('hex'), true],
    [sha1, false],
  ] as const) {
    const { session } = await uploadsOf(connector).beginUpload('/file', call);
    const parts = [await sent(connector, session, 0), await sent(connector, session, partSize)];
    const finish = uploadsOf(connector).finishUpload('/file', { ...call, session, parts, hashes: { sha1: expected } });
    if (refused) await assert.rejects(finish, { kind: 'damaged' });
    else assert.equal((await finish).entry.hashes?.sha1, sha1);
  }
  await writeFile(join(home, 'outside'), 'by another way', { mode: 0o644 });
  assert.equal((await connector.stat('/outside', ask())).hashes?.sha1, createHash('sha1').update('by another way').digest('hex'));
});
