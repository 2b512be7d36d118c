import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { collect } from '../../../kit/body/body.ts';
import { layered } from '../../../layers/layered.ts';
import { retry } from '../../../layers/retry.ts';
import { ask, listed, namesIn, smallSizes, startDriveTest, textOf, write } from './testing/drive.ts';

const KiB = 1024;
const list = 'GET /drive/v3/files';
const media = /^GET \/drive\/v3\/files\/[^/?]+\?(.*&)?alt=media/;

describe('failures of Google Drive', () => {
  const { google, open, envOf, mara } = startDriveTest({ limit: 40 * KiB * KiB });
  const put = () => google().put;

  test('a token that expires in the middle of a listing is renewed once, and the listing continues', async () => {
    const folder = put().folder(mara(), 'long');
    for (let index = 0; index < 30; index++) put().file(mara(), `entry ${index}`, '', folder);
    const connector = open(envOf(), { pageSize: 10 });
    await connector.stat('/long', ask());
    const before = google().oauth.refreshes();
    const answers = google().requests.length;
    google().faults.next(/pageToken=~20/, 1, {
      kind: 'reply',
      reply: { status: 401, json: { error: { code: 401, message: 'Invalid Credentials', errors: [{ reason: 'authError' }] } } },
    });
    assert.equal((await listed(connector, '/long')).size, 30);
    assert.equal(google().oauth.refreshes(), before + 1);
    assert.equal(
      google()
        .requests.slice(answers)
        .filter(({ operation }) => operation === list).length,
      4,
    );
  });

  test('twenty requests that meet an expired token renew it once', async () => {
    const env = envOf('mara@example.org', ['https://www.googleapis.com/auth/drive'], 1);
    const connector = open(env);
    const before = google().oauth.refreshes();
    await Promise.all(Array.from({ length: 20 }, async () => connector.usage?.(ask())));
    assert.equal(google().oauth.refreshes(), before + 1);
  });

  test('a rate limit is reported with the requested wait, which is observed', async () => {
    const connector = open();
    google().faults.next(list, 1, { kind: 'rateLimit', retryAfter: 7 });
    await assert.rejects(listed(connector, '/'), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
    const waits: number[] = [];
    const patient = layered(connector, retry({ wait: async (milliseconds) => void waits.push(milliseconds) }));
    google().faults.next(list, 1, { kind: 'rateLimit', retryAfter: 7 });
    await listed(patient, '/');
    assert.deepEqual(waits, [7000]);
  });

  test('an upload that Drive was too busy for is resent, because its bytes are still in memory', async () => {
    const connector = open();
    google().faults.next('POST /upload/drive/v3/files', 1, { kind: 'rateLimit', retryAfter: 0 });
    assert.equal((await write(connector, '/patient', 'small')).size, 5);
    assert.equal(await textOf(connector, '/patient'), 'small');
  });

  const large = Buffer.from(Array.from({ length: 1000 * KiB }, (_, index) => (index * 31 + (index >> 8)) % 256));

  for (const [what, prepare] of [
    ['a piece that is cut', () => google().faults.next(/^PUT \/upload/, 1, { kind: 'cutUpload', afterBytes: 100 * KiB })],
    ['answers that are lost in the midst', () => google().faults.next(/^PUT \/upload/, 2, { kind: 'lost' })],
    [
      'the service failing for a moment',
      () =>
        google().faults.next(/^PUT \/upload/, 2, {
          kind: 'reply',
          reply: { status: 503, json: { error: { code: 503, message: 'Backend Error', errors: [{ reason: 'backendError' }] } } },
        }),
    ],
  ] as const)
    for (const size of [large.length, undefined])
      test(`an upload of ${size === undefined ? 'unknown' : 'known'} length survives ${what}`, async () => {
        const connector = open(envOf(), { sizes: smallSizes });
        const path = `/outlives ${what} ${size}`;
        const repeated = google().uploads.repeated();
        prepare();
        const entry = await write(connector, path, Readable.from([large]), size === undefined ? {} : { size });
        assert.equal(entry.size, large.length);
        assert.ok((await collect(await connector.read(path, ask()))).equals(large));
        assert.equal(google().uploads.openSessions(), 0);
        // The HTTP client repeats a request on a connection that may already have been closed; nothing else is sent twice.
        assert.ok(google().uploads.repeated() - repeated <= smallSizes.chunk, 'bytes were sent that Drive had already');
      });

  test('an upload whose session is forgotten before its first piece starts over', async () => {
    const connector = open(envOf(), { sizes: smallSizes });
    const begun = google().requests.filter(({ operation }) => operation === 'POST /upload/drive/v3/files').length;
    google().faults.next(/^PUT \/upload/, 1, { kind: 'reply', reply: { status: 404 } });
    await write(connector, '/anew', Readable.from([large]));
    assert.ok((await collect(await connector.read('/anew', ask()))).equals(large));
    assert.equal(google().requests.filter(({ operation }) => operation === 'POST /upload/drive/v3/files').length, begun + 2);
    google().uploads.forget();
  });

  test('an upload continues at the offset that Drive reports, when only part of a piece was stored', async () => {
    const connector = open(envOf(), { sizes: { ...smallSizes, chunk: 512 * KiB } });
    const repeated = google().uploads.repeated();
    google().uploads.keepOnly(256 * KiB);
    await write(connector, '/partly', Readable.from([large]));
    assert.ok((await collect(await connector.read('/partly', ask()))).equals(large));
    assert.equal(google().uploads.repeated(), repeated, 'bytes were sent that Drive had already');
  });

  test('an upload whose session is forgotten half-way fails, and leaves only the old file', async () => {
    const connector = open(envOf(), { sizes: smallSizes });
    await write(connector, '/forgotten', 'the old one');
    let taken = 0;
    const body = Readable.from(
      (async function* () {
        for (let at = 0; at < large.length; at += 64 * KiB) {
          taken += 64 * KiB;
          if (taken > 700 * KiB) google().uploads.forget();
          yield large.subarray(at, at + 64 * KiB);
        }
      })(),
    );
    await assert.rejects(write(connector, '/forgotten', body, { size: large.length }), { kind: 'unexpected' });
    assert.equal(await textOf(open(), '/forgotten'), 'the old one');
  });

  test('an incomplete download is interrupted, and one with a wrong byte is damaged', async () => {
    const connector = open();
    await write(connector, '/fragile', large);
    google().faults.next(media, 1, { kind: 'cut', afterBytes: 500 * KiB });
    await assert.rejects(textOf(connector, '/fragile'), { kind: 'interrupted' });
    google().faults.next(media, 1, { kind: 'corrupt', at: 12_345 });
    await assert.rejects(textOf(connector, '/fragile'), { kind: 'damaged' });
    assert.ok((await collect(await connector.read('/fragile', ask()))).equals(large));
  });

  test('a file replaced between the lookup and the bytes is not reported as damaged', async () => {
    const connector = open();
    await write(connector, '/replaced', 'first version');
    const replaced = Promise.withResolvers<void>();
    const asked = google().faults.next(media, 1, { kind: 'held', until: replaced.promise });
    const reading = connector.read('/replaced', ask());
    while (asked.struck === 0) await new Promise(setImmediate);
    await write(open(), '/replaced', 'other version');
    replaced.resolve();
    const opened = await reading;
    await assert.rejects(
      opened.drain(async () => undefined),
      { kind: 'interrupted', retryable: true },
    );
    assert.equal(await textOf(connector, '/replaced'), 'other version');
  });

  for (const sizes of [undefined, smallSizes])
    test(`bytes damaged in transit ${sizes ? 'through a session' : 'in one request'} are removed, both as a new file and as a version of an old one`, async () => {
      const connector = open(envOf(), sizes ? { sizes } : {});
      const at = `/damaged ${sizes ? 'large' : 'small'}`;
      await connector.createFolder?.(at, ask());
      const good = await write(connector, `${at}/old`, large);
      for (const name of ['new', 'old']) {
        google().uploads.damage();
        await assert.rejects(write(connector, `${at}/${name}`, Buffer.concat([large, large])), { kind: 'damaged' });
      }
      assert.deepEqual(await namesIn(open(), at), ['old']);
      assert.ok((await collect(await open().read(`${at}/old`, ask()))).equals(large));
      assert.equal((await open().stat(`${at}/old`, ask())).etag, good.etag);
    });

  test('of two writers of one new name one wins, and the other is refused because the name is taken', async () => {
    const [one, other] = [open(), open()];
    await one.createFolder?.('/race', ask());
    await listed(other, '/race');
    for (let round = 0; round < 5; round++) {
      const path = `/race/file ${round}`;
      const outcomes = await Promise.allSettled([
        write(one, path, 'from one', { ifExists: 'fail' }),
        write(other, path, 'from other', { ifExists: 'fail' }),
      ]);
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as { kind?: string }).kind] : []));
      assert.deepEqual(refused, ['alreadyExists']);
    }
    assert.equal((await namesIn(open(), '/race')).length, 5);
  });

  test('concurrent changes by others are noticed: deleted, replaced, moved, and replaced by another item', async () => {
    const folder = put().folder(mara(), 'shared work');
    const inner = put().folder(mara(), 'inner', folder);
    const file = put().file(mara(), 'file', 'mine', folder);
    const connector = open();
    await listed(connector, '/shared work');
    await listed(connector, '/shared work/inner');
    await write(open(), '/shared work/file', 'theirs');
    assert.equal((await connector.stat('/shared work/file', ask())).size, 6);
    assert.equal(await textOf(connector, '/shared work/file'), 'theirs');
    await open().rename?.('/shared work/file', 'elsewhere', ask());
    await assert.rejects(connector.stat('/shared work/file', ask()), { kind: 'notFound' });
    await assert.rejects(async () => connector.remove?.('/shared work/file', ask()), { kind: 'notFound' });
    assert.ok(!file.isBinned);
    await open().remove?.('/shared work/inner', ask());
    await assert.rejects(write(connector, '/shared work/inner/late', 'too late'), { kind: 'notFound' });
    assert.deepEqual(google().drive.children(inner.id), []);
    await assert.rejects(listed(connector, '/shared work/inner'), { kind: 'notFound' });
    await listed(connector, '/shared work');
    await open().createFolder?.('/shared work/inner', ask());
    await connector.createFolder?.('/shared work/inner/again', ask());
    google().drive.remove(folder);
    await assert.rejects(listed(connector, '/shared work'), { kind: 'notFound' });
  });

  test('a file that another user deletes while it is replaced exists again afterwards, with its new bytes', async () => {
    const folder = put().folder(mara(), 'busy');
    const file = put().file(mara(), 'file', 'old', folder);
    const replaced = (throwsAway: { isBinned: boolean }) => {
      async function* body() {
        yield Buffer.from('new ');
        throwsAway.isBinned = true;
        yield Buffer.from('bytes');
      }
      return write(open(), '/busy/file', Readable.from(body()), { size: 9 });
    };
    await replaced(file);
    assert.equal(await textOf(open(), '/busy/file'), 'new bytes');
    await assert.rejects(replaced(folder), { kind: 'notFound' });
  });

  test('a full Drive is reported as full, and keeps the old file', async () => {
    const connector = open();
    await write(connector, '/kept', 'old');
    for (const name of ['kept', 'new'])
      await assert.rejects(write(connector, `/${name}`, Buffer.alloc(41 * KiB * KiB)), { kind: 'full', retryable: false });
    assert.equal(await textOf(connector, '/kept'), 'old');
    assert.ok(!(await namesIn(connector, '/')).includes('new'));
    assert.equal(google().uploads.openSessions(), 0);
  });

  test('a copy of a folder that fails half-way is undone', async () => {
    const folder = put().folder(mara(), 'original');
    for (let index = 0; index < 5; index++) put().file(mara(), `file ${index}`, 'x', folder);
    const connector = open();
    const refused = { status: 403, json: { error: { code: 403, message: 'no', errors: [{ reason: 'cannotCopyFile' }] } } };
    google().faults.next('POST /drive/v3/files/{fileId}/copy', 1, { kind: 'reply', reply: refused });
    await assert.rejects(async () => connector.copy?.('/original', '/copied', ask()), { kind: 'forbidden' });
    assert.ok(!(await namesIn(open(), '/')).includes('copied'));
    assert.equal((await namesIn(open(), '/original')).length, 5);
  });

  test('each refusal of Drive has its own error kind', async () => {
    const connector = open();
    const refusals: readonly (readonly [number, string, string])[] = [
      [403, 'userRateLimitExceeded', 'rateLimited'],
      [403, 'insufficientFilePermissions', 'forbidden'],
      [403, 'storageQuotaExceeded', 'full'],
      [403, 'accessNotConfigured', 'appRefused'],
      [403, 'insufficientPermissions', 'needsAuthorization'],
      [500, 'internalError', 'unreachable'],
      [502, 'surprise', 'unreachable'],
      [400, 'badRequest', 'unexpected'],
    ];
    for (const [status, reason, kind] of refusals) {
      const reply = { status, json: { error: { code: status, message: 'no', errors: [{ reason }] } } };
      google().faults.next('GET /drive/v3/about', 1, { kind: 'reply', reply });
      await assert.rejects(async () => connector.usage?.(ask()), { kind }, reason);
    }
  });
});
