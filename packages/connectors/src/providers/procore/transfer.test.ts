import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Procore, startProcore } from '@sheaf/testbed';
import { MiB, drawings, get, made, namesIn, open, own, put } from './testing/opening.ts';
import { uploadSizes } from './upload.ts';

const segment = 'PUT /segments/{uuid}/{number}';
const form = 'POST /bucket';

describe('Procore', () => {
  let server: Procore;
  let folders = 0;
  before(async () => {
    server = await startProcore();
  });
  afterEach(() => {
    server.assertClean();
    server.reset();
  });
  after(() => server.stop());

  async function fresh(place: string = drawings) {
    const connector = open(server);
    folders += 1;
    return { connector, at: await made(connector, `${place}/transfer ${folders}`) };
  }

  test('a file that fits in memory is sent in segments, whether its length is known or not', async () => {
    const { connector, at } = await fresh();
    const bytes = randomBytes(18 * MiB);
    await put(connector, `${at}/known`, bytes);
    await put(connector, `${at}/unknown`, Readable.from(pieces(bytes)));
    for (const name of ['known', 'unknown']) assert.ok((await get(connector, `${at}/${name}`)).equals(bytes), name);
    assert.equal(server.requests.filter(({ operation }) => operation === segment).length, 6);
  });

  for (const place of [drawings, own])
    test(`a larger one is streamed in one piece, to ${place}`, async () => {
      const { connector, at } = await fresh(place);
      const bytes = randomBytes(uploadSizes.held + 77_777);
      for (const round of [1, 2]) {
        const entry = await put(connector, `${at}/big`, Readable.from(pieces(bytes)), { size: bytes.length });
        assert.equal(entry.size, bytes.length, `round ${round}`);
      }
      assert.ok((await get(connector, `${at}/big`)).equals(bytes));
      assert.equal(server.requests.filter(({ operation }) => operation === form).length, 2);
      assert.equal(server.requests.filter(({ operation }) => operation === segment).length, 0);
    });

  test('a long body of unknown length is refused before a byte is sent, and the old file stays', async () => {
    const { connector, at } = await fresh();
    await put(connector, `${at}/file`, 'the old one');
    server.reset();
    const body = Readable.from(pieces(Buffer.alloc(uploadSizes.held + MiB)));
    await assert.rejects(put(connector, `${at}/file`, body), { kind: 'unsupported' });
    assert.equal(server.requests.filter(({ method }) => method !== 'GET').length, 0);
    assert.equal((await get(connector, `${at}/file`)).toString(), 'the old one');
  });

  test('a long body that is shorter or longer than announced leaves the old file', async () => {
    const { connector, at } = await fresh();
    await put(connector, `${at}/file`, 'the old one');
    const size = uploadSizes.held + MiB;
    for (const came of [size - 1, size + 1])
      await assert.rejects(put(connector, `${at}/file`, Readable.from(pieces(Buffer.alloc(came))), { size }), { kind: 'sizeDiffers' });
    assert.equal((await get(connector, `${at}/file`)).toString(), 'the old one');
    assert.deepEqual(await namesIn(connector, at), ['file']);
  });

  test('a long body that is interrupted in transit leaves the old file', async () => {
    const { connector, at } = await fresh();
    await put(connector, `${at}/file`, 'the old one');
    server.faults.next(form, 1, { kind: 'cutUpload', afterBytes: 5 * MiB });
    await assert.rejects(put(connector, `${at}/file`, randomBytes(uploadSizes.held + MiB)), { kind: 'interrupted' });
    assert.equal((await get(connector, `${at}/file`)).toString(), 'the old one');
  });

  test('segments that are interrupted, refused or damaged, or whose response is lost, are resent', async () => {
    const { connector, at } = await fresh();
    const bytes = randomBytes(20 * MiB);
    const mismatch = { status: 400, text: '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>' };
    const faults = [
      server.faults.next(/PUT .*\/1$/, 1, { kind: 'cutUpload', afterBytes: MiB }),
      server.faults.next(/PUT .*\/2$/, 1, { kind: 'lost' }),
      server.faults.next(/PUT .*\/3$/, 1, { kind: 'reply', reply: { status: 503, headers: { 'retry-after': '0' } } }),
      server.faults.next(/PUT .*\/3$/, 1, { kind: 'reply', reply: mismatch }),
      server.faults.next(/POST .*uploads$/, 1, { kind: 'lost' }),
      server.faults.next(/PATCH .*uploads/, 1, { kind: 'lost' }),
    ];
    await put(connector, `${at}/big`, bytes);
    assert.deepEqual(
      faults.map(({ struck }) => struck),
      [1, 1, 1, 1, 1, 1],
    );
    assert.ok((await get(connector, `${at}/big`)).equals(bytes));
  });

  test('bytes that arrive damaged repeatedly never become a version or a file', async () => {
    const { connector, at } = await fresh();
    await put(connector, `${at}/file`, 'the old one');
    const reply = { status: 400, text: '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>' };
    for (const name of ['file', 'new']) {
      server.faults.next(segment, 4, { kind: 'reply', reply });
      await assert.rejects(put(connector, `${at}/${name}`, 'the new one'), { kind: 'damaged' });
    }
    assert.equal((await get(connector, `${at}/file`)).toString(), 'the old one');
    assert.deepEqual(await namesIn(connector, at), ['file']);
  });

  test('an upload that Procore has forgotten fails, and the old file stays', async () => {
    const { connector, at } = await fresh();
    await put(connector, `${at}/file`, 'the old one');
    const slow = server.faults.next(/PATCH .*uploads/, 1, { kind: 'slow', ms: 100 });
    const writing = put(connector, `${at}/file`, 'the new one');
    writing.catch(() => undefined);
    while (slow.struck === 0) await new Promise(setImmediate);
    server.forgetUploads();
    await assert.rejects(writing, { kind: 'interrupted' });
    assert.equal((await get(connector, `${at}/file`)).toString(), 'the old one');
  });

  test('an incomplete download is interrupted, an expired download URL is requested again', async () => {
    const { connector, at } = await fresh();
    const bytes = randomBytes(MiB);
    await put(connector, `${at}/file`, bytes);
    server.faults.next('GET /objects/{signature}', 1, { kind: 'cut', afterBytes: 500_000 });
    await assert.rejects(get(connector, `${at}/file`), { kind: 'interrupted' });
    server.faults.next('GET /objects/{signature}', 1, { kind: 'reply', reply: { status: 403 } });
    await assert.rejects(get(connector, `${at}/file`), { kind: 'interrupted', retryable: true });
    server.advance(3600);
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
});

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 77_777) yield bytes.subarray(at, at + 77_777);
}
