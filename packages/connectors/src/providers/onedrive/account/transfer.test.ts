import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { ConnectorError } from '../../../core/error.ts';
import { ask, opening } from '../testing/opening.ts';
import { fragmentSize } from './session.ts';

const putFragment = 'PUT /up/{session}';
const download = 'GET /download/{opaque}';
const MiB = 1024 * 1024;
/** More than one fragment. */
const large = randomBytes(fragmentSize + 5 * MiB + 11);

async function* inPieces(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const streamed = (bytes: Uint8Array): Readable => Readable.from(inPieces(bytes), { objectMode: false });

test("an interrupted upload resumes at the service's offset", async (t) => {
  const { microsoft, put, get } = await opening(t, 'OneDrive');
  microsoft.faults.next(putFragment, 1, { kind: 'cutUpload', afterBytes: 7 * MiB });
  microsoft.faults.next(putFragment, 1, { kind: 'cutUpload', afterBytes: 3 * MiB });
  await put('/large', streamed(large), { size: large.length });
  assert.ok((await get('/large')).equals(large));
  const opened = microsoft.requests.filter(({ operation }) => operation?.endsWith('createUploadSession'));
  assert.equal(opened.length, 1, 'the upload was begun anew');
});

test('a fragment whose response is lost is not resent, not even the last one', async (t) => {
  const { microsoft, put, get } = await opening(t, 'OneDriveForBusiness');
  microsoft.faults.next(putFragment, 2, { kind: 'lost' });
  await put('/large', streamed(large), { size: large.length });
  assert.equal(microsoft.requests.filter(({ operation }) => operation === putFragment).length, 2);
  assert.ok((await get('/large')).equals(large));
});

test('a service that is busy in the middle of an upload is retried after the wait it asks for', async (t) => {
  const { microsoft, put, get } = await opening(t, 'OneDrive');
  microsoft.faults.next(putFragment, 1, { kind: 'rateLimit', retryAfter: 1 });
  const start = performance.now();
  await put('/large', streamed(large), { size: large.length });
  assert.ok(performance.now() - start >= 990, 'it was asked again too soon');
  assert.ok((await get('/large')).equals(large));
});

test('small files, and the start of large uploads, wait for a busy service too', async (t) => {
  const { microsoft, put, get } = await opening(t, 'OneDriveForBusiness');
  microsoft.faults.next(/^PUT .*content/, 1, { kind: 'rateLimit', retryAfter: 1 });
  microsoft.faults.next(/createUploadSession$/, 1, { kind: 'rateLimit', retryAfter: 1 });
  const start = performance.now();
  await Promise.all([put('/small', 'bytes'), put('/large', large.subarray(0, 5 * MiB))]);
  assert.ok(performance.now() - start >= 990, 'it was asked again too soon');
  assert.equal((await get('/small')).toString(), 'bytes');
  microsoft.faults.next(/^PUT .*content/, 1, { kind: 'rateLimit', retryAfter: 600 });
  await assert.rejects(put('/other', 'bytes'), { kind: 'rateLimited', retryAfter: 600_000 });
});

test('a session lost before its first fragment arrived is replaced by a new one', async (t) => {
  const { microsoft, put, get } = await opening(t, 'OneDrive');
  const gone = { status: 404, json: { error: { code: 'itemNotFound', message: 'gone' } } };
  microsoft.faults.next(putFragment, 1, { kind: 'reply', reply: gone });
  await put('/large', streamed(large), { size: large.length });
  assert.ok((await get('/large')).equals(large));
});

test('a session lost later fails the upload, and the old file stays', async (t) => {
  const { microsoft, put, get, names } = await opening(t, 'OneDrive');
  await put('/large', 'the old one');
  const body = Readable.from(
    (async function* () {
      yield* inPieces(large.subarray(0, fragmentSize + MiB));
      microsoft.forgetSessions();
      yield* inPieces(large.subarray(fragmentSize + MiB));
    })(),
    { objectMode: false },
  );
  await assert.rejects(put('/large', body, { size: large.length }), { kind: 'interrupted' });
  assert.equal((await get('/large')).toString(), 'the old one');
  assert.ok(!(await names('/')).some((name) => name !== 'large' && name.includes('large')));
});

test('a large upload that breaks off, or is cancelled, leaves no session', async (t) => {
  const { microsoft, put } = await opening(t, 'OneDrive');
  const breaking = Readable.from(
    (async function* () {
      yield* inPieces(large.subarray(0, fragmentSize + MiB));
      throw new Error('the browser went away');
    })(),
    { objectMode: false },
  );
  await assert.rejects(put('/large', breaking, { size: large.length }), { kind: 'interrupted' });
  const given = new AbortController();
  const pausing = Readable.from(
    (async function* () {
      yield* inPieces(large.subarray(0, fragmentSize + MiB));
      given.abort();
      yield* inPieces(large.subarray(fragmentSize + MiB));
    })(),
    { objectMode: false },
  );
  await assert.rejects(put('/large', pausing, { size: large.length, signal: given.signal }), { kind: 'aborted' });
  assert.equal(microsoft.sessions(), 0);
});

test('a large body of another length than announced is refused, and the old file stays', async (t) => {
  const { microsoft, put, get } = await opening(t, 'OneDriveForBusiness');
  await put('/file', 'the old one');
  for (const size of [large.length - 1, large.length + 1, large.length + fragmentSize])
    await assert.rejects(put('/file', streamed(large), { size }), { kind: 'sizeDiffers' });
  assert.equal((await get('/file')).toString(), 'the old one');
  assert.equal(microsoft.sessions(), 0);
});

test('a service that keeps failing ends the upload with its error', async (t) => {
  const { microsoft, put } = await opening(t, 'OneDrive');
  microsoft.faults.next(/ \/host\/up\//, 100, { kind: 'rateLimit', retryAfter: 3600 });
  await assert.rejects(put('/large', streamed(large), { size: large.length }), { kind: 'rateLimited' });
});

for (const size of [5 * MiB, 17 * MiB])
  test(`a body of unknown length of ${size / MiB} MiB is stored completely, as a new file and over an old one`, async (t) => {
    const { put, get } = await opening(t, 'OneDriveForBusiness');
    const bytes = large.subarray(0, size);
    for (const [path, modified] of [
      ['/new', undefined],
      ['/new', 1_000_000_000],
      ['/dated', 1_100_000_000],
    ] as const) {
      const entry = await put(path, streamed(bytes), { ...(modified !== undefined && { modified }) });
      assert.equal(entry.size, size);
      if (modified !== undefined) assert.equal(entry.modified, modified);
      assert.ok((await get(path)).equals(bytes));
    }
    await assert.rejects(put('/new', streamed(bytes), { ifExists: 'fail' }), { kind: 'alreadyExists' });
  });

for (const size of [3, 5 * MiB])
  test(`a new file of ${size} bytes that is stored damaged is reported and removed`, async (t) => {
    const { microsoft, put, names, drive } = await opening(t, 'OneDrive');
    microsoft.world.manners.damageNext = true;
    await assert.rejects(put('/damaged', large.subarray(0, size)), { kind: 'damaged' });
    assert.ok(!(await names('/')).includes('damaged'));
    assert.equal(drive.child(drive.root, 'damaged'), undefined);
  });

for (const provider of ['OneDrive', 'OneDriveForBusiness'] as const)
  test(`a file of ${provider} that is replaced by damaged bytes gets its old ones back`, async (t) => {
    const { microsoft, put, get, connector } = await opening(t, provider);
    await put('/file', 'the first');
    await put('/file', 'the good one');
    microsoft.world.manners.damageNext = true;
    await assert.rejects(put('/file', 'the bad one'), { kind: 'damaged' });
    assert.equal((await get('/file')).toString(), 'the good one');
    assert.equal((await connector.stat('/file', ask())).size, 12);
  });

test('an Office file may be stored with other bytes: SharePoint writes properties into it', async (t) => {
  const { microsoft, put } = await opening(t, 'OneDriveForBusiness');
  microsoft.world.manners.damageNext = true;
  assert.equal((await put('/letter.docx', 'text')).name, 'letter.docx');
});

for (const hash of ['sha1Hash', 'sha256Hash'] as const)
  test(`where drives report the ${hash}, uploads and downloads are checked by it`, async (t) => {
    const { microsoft, put, get } = await opening(t, 'OneDrive', { hash });
    await put('/first', 'tells which hash the drive has');
    microsoft.world.manners.damageNext = true;
    await assert.rejects(put('/second', 'bytes'), { kind: 'damaged' });
    assert.equal((await get('/first')).toString(), 'tells which hash the drive has');
    microsoft.faults.next(download, 1, { kind: 'corrupt', at: 3 });
    await assert.rejects(get('/first'), { kind: 'damaged' });
  });

test('a download with a wrong byte is damaged, an incomplete one is interrupted, and a range is returned unchanged', async (t) => {
  const { microsoft, put, get, connector } = await opening(t, 'OneDrive');
  await put('/file', large.subarray(0, MiB));
  microsoft.faults.next(download, 1, { kind: 'corrupt', at: MiB - 1 });
  await assert.rejects(get('/file'), { kind: 'damaged' });
  microsoft.faults.next(download, 1, { kind: 'cut', afterBytes: 1000 });
  await assert.rejects(get('/file'), { kind: 'interrupted', retryable: true });
  assert.ok((await get('/file')).equals(large.subarray(0, MiB)));
  microsoft.faults.next(download, 1, { kind: 'reply', reply: { status: 200, text: 'everything' } });
  await assert.rejects(connector.read('/file', { ...ask(), range: { start: 5 } }), { kind: 'unexpected' });
});

test('a file without a download URL is read through the redirect of its content endpoint, without the token', async (t) => {
  const { microsoft, put, get, connector } = await opening(t, 'OneDriveForBusiness');
  microsoft.world.manners.tellsDownloads = false;
  await put('/100% #1', 'some bytes');
  assert.equal((await get('/100% #1')).toString(), 'some bytes');
  const part = await connector.read('/100% #1', { ...ask(), range: { start: 5, end: 7 } });
  assert.equal(part.size, 2);
  part.cancel();
});

test('of two writers of one new name that must not replace, one fails', async (t) => {
  const { put, get, names } = await opening(t, 'OneDrive');
  for (const size of [10, 5 * MiB]) {
    const path = `/contested ${size}`;
    const bodies = [large.subarray(0, size), large.subarray(size, 2 * size)];
    const outcomes = await Promise.allSettled(bodies.map((body) => put(path, body, { ifExists: 'fail' })));
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    assert.equal(failed.length, 1);
    assert.ok(failed[0] instanceof ConnectorError && failed[0].kind === 'alreadyExists');
    const winner = bodies[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    assert.ok(winner && (await get(path)).equals(winner));
  }
  assert.equal((await names('/')).filter((name) => name.startsWith('contested')).length, 2);
});

test('of two writers that may replace, the last one wins and nothing is mixed', async (t) => {
  const { put, get } = await opening(t, 'OneDriveForBusiness');
  const bodies = [large.subarray(0, 6 * MiB), large.subarray(6 * MiB, 12 * MiB)];
  await Promise.all(bodies.map((body) => put('/both', body)));
  const stored = await get('/both');
  assert.ok(bodies.some((body) => stored.equals(body)));
});

test('a full drive is reported as full, and the old file stays', async (t) => {
  const { drive, put, get, connector } = await opening(t, 'OneDrive');
  await put('/file', 'small');
  const used = (await connector.usage?.(ask()))?.used ?? 0;
  drive.state.total = used + 100;
  for (const size of [1000, 5 * MiB]) await assert.rejects(put('/file', large.subarray(0, size)), { kind: 'full' });
  assert.equal((await get('/file')).toString(), 'small');
  assert.deepEqual(await connector.usage?.(ask()), { used, total: used + 100 });
});
