import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Autodesk, startAutodesk } from '@sheaf/testbed';
import { MiB, ask, bench, get, made, namesIn, open, put, quay } from './testing/opening.ts';
import { type PartSizes, partSizes } from './upload.ts';

const sizes: PartSizes = { part: 5 * MiB, mostParts: 10_000 };
const part = 'PUT /{bucket}/{key}';

describe('Autodesk', () => {
  let server: Autodesk;
  let folders = 0;
  before(async () => {
    server = await startAutodesk();
  });
  afterEach(() => {
    server.assertClean();
    server.reset();
  });
  after(() => server.stop());

  async function fresh() {
    const connector = open(server, { sizes });
    folders += 1;
    return { connector, at: await made(connector, `${quay}/transfer ${folders}`) };
  }

  for (const isKnown of [true, false])
    test(`a body of ${isKnown ? 'known' : 'unknown'} length is sent in parts, as a new file and over an old one`, async () => {
      const { connector, at } = await fresh();
      const bytes = randomBytes(12 * MiB + 5);
      for (const round of [1, 2]) {
        const entry = await put(connector, `${at}/big`, Readable.from(pieces(bytes)), isKnown ? { size: bytes.length } : {});
        assert.equal(entry.size, bytes.length, `round ${round}`);
        assert.ok((await get(connector, `${at}/big`)).equals(bytes));
      }
      assert.equal(server.requests.filter(({ operation }) => operation === part).length, 6);
      assert.equal(server.openUploads(), 0);
    });

  test('a body that fills its parts to the last byte has no empty part', async () => {
    const { connector, at } = await fresh();
    const bytes = randomBytes(10 * MiB);
    await put(connector, `${at}/even`, bytes);
    assert.equal(server.requests.filter(({ operation }) => operation === part).length, 2);
    assert.ok((await get(connector, `${at}/even`)).equals(bytes));
  });

  test('parts that are interrupted or refused, or whose response is lost, are resent to another URL', async () => {
    const { connector, at } = await fresh();
    const bytes = randomBytes(16 * MiB);
    const meets = (number: number, fault: Parameters<typeof server.faults.next>[2]) =>
      server.faults.next(new RegExp(`PUT .*partNumber=${number}&`), 1, fault);
    const faults = [
      meets(1, { kind: 'cutUpload', afterBytes: MiB }),
      meets(2, { kind: 'lost' }),
      meets(3, { kind: 'reply', reply: { status: 503, headers: { 'retry-after': '0' } } }),
      meets(4, { kind: 'reply', reply: { status: 403, text: '<Error><Code>AccessDenied</Code></Error>' } }),
    ];
    await put(connector, `${at}/big`, bytes);
    assert.deepEqual(
      faults.map(({ struck }) => struck),
      [1, 1, 1, 1],
    );
    assert.ok((await get(connector, `${at}/big`)).equals(bytes));
  });

  test('a service that is busy in the middle of an upload is retried after the wait it asks for', async () => {
    const { connector, at } = await fresh();
    server.faults.next(/GET .*signeds3upload/, 1, { kind: 'rateLimit', retryAfter: 1 });
    const before = performance.now();
    await put(connector, `${at}/file`, 'patience');
    assert.ok(performance.now() - before > 900);
  });

  test('an upload that Autodesk has forgotten fails, and the old file stays', async () => {
    const { connector, at } = await fresh();
    await put(connector, `${at}/file`, 'the old one');
    server.forgetUploads();
    const body = new Readable({ read() {} });
    body.push(randomBytes(6 * MiB));
    const writing = put(connector, `${at}/file`, body);
    writing.catch(() => undefined);
    while (server.openUploads() === 0) await new Promise(setImmediate);
    server.forgetUploads();
    body.push(null);
    await assert.rejects(writing, { kind: 'interrupted' });
    assert.equal((await get(connector, `${at}/file`)).toString(), 'the old one');
  });

  test('a service that keeps failing ends the upload with its error, and the old file stays', async () => {
    const { connector, at } = await fresh();
    await put(connector, `${at}/file`, 'the old one');
    server.faults.next(part, 10, { kind: 'reply', reply: { status: 500 } });
    await assert.rejects(put(connector, `${at}/file`, 'the new one'), { kind: 'unreachable' });
    assert.equal((await get(connector, `${at}/file`)).toString(), 'the old one');
  });

  test('a response lost at the end of an upload does not lose the file', async () => {
    const { connector, at } = await fresh();
    for (const lost of [/POST .*items$/, /POST .*versions$/, /POST .*signeds3upload/]) {
      const fault = server.faults.next(lost, 1, { kind: 'lost' });
      const entry = await put(connector, `${at}/file`, String(lost));
      assert.equal(entry.size, String(lost).length);
      assert.equal(fault.struck, 1);
      assert.equal((await get(connector, `${at}/file`)).toString(), String(lost));
    }
    assert.deepEqual(await namesIn(connector, at), ['file']);
  });

  test('damaged bytes never become a version or a file', async () => {
    const { connector, at } = await fresh();
    await put(connector, `${at}/file`, 'the old one');
    for (const name of ['file', 'new']) {
      server.damageParts(1);
      await assert.rejects(put(connector, `${at}/${name}`, 'the new one'), { kind: 'damaged' });
    }
    assert.equal((await get(connector, `${at}/file`)).toString(), 'the old one');
    assert.deepEqual(await namesIn(connector, at), ['file']);
  });

  test('a download with a wrong byte is damaged, an incomplete one is interrupted, and a range is returned unchanged', async () => {
    const { connector, at } = await fresh();
    const bytes = randomBytes(MiB);
    await put(connector, `${at}/file`, bytes);
    server.faults.next('GET /{bucket}/{key}', 1, { kind: 'corrupt', at: 500_000 });
    await assert.rejects(get(connector, `${at}/file`), { kind: 'damaged' });
    server.faults.next('GET /{bucket}/{key}', 1, { kind: 'cut', afterBytes: 500_000 });
    await assert.rejects(get(connector, `${at}/file`), { kind: 'interrupted' });
    server.faults.next('GET /{bucket}/{key}', 1, {
      kind: 'reply',
      reply: { status: 403, text: '<Error><Code>AccessDenied</Code></Error>' },
    });
    await assert.rejects(get(connector, `${at}/file`), { kind: 'interrupted', retryable: true });
    assert.ok((await get(connector, `${at}/file`)).equals(bytes));
  });

  test('of two writers of one new name that must not replace, one fails', async () => {
    const { at } = await fresh();
    const write = (bytes: string) => put(open(server), `${at}/contested`, bytes, { ifExists: 'fail' });
    const results = await Promise.allSettled([write('one'), write('two')]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    assert.equal((refused?.reason as { kind?: string } | undefined)?.kind, 'alreadyExists');
    assert.deepEqual(await namesIn(open(server), at), ['contested']);
  });

  test('of two writers that may replace, the last one wins and nothing is mixed', async () => {
    const { at } = await fresh();
    const [one, two] = [randomBytes(100_000), randomBytes(200_000)];
    await Promise.all([put(open(server), `${at}/shared`, one), put(open(server), `${at}/shared`, two)]);
    const stored = await get(open(server), `${at}/shared`);
    assert.ok(stored.equals(one) || stored.equals(two));
    assert.deepEqual(await namesIn(open(server), at), ['shared']);
  });

  test('no token goes to the store', async () => {
    const { connector } = await fresh();
    // The object store refuses requests that carry a token.
    await put(connector, `${bench}/plain`, 'x');
    assert.equal((await get(connector, `${bench}/plain`)).toString(), 'x');
    await connector.remove?.(`${bench}/plain`, ask());
  });

  test('a body of maximum length has no more parts than an object may have', () => {
    assert.ok(partSizes.mostParts < 10_000 && partSizes.part >= 5 * MiB);
  });
});

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 77_777) yield bytes.subarray(at, at + 77_777);
}
