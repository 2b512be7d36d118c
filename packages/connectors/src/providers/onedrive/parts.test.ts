import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { notebook } from '../../conformance/leftovers.ts';
import { resumableUploadsOf } from '../../core/operations.ts';
import type { BeginUploadOptions } from '../../core/upload.ts';
import { namedHash } from '../../kit/hash/named-hash.ts';
import { partSize } from './parts.ts';
import { type Provider, ask, opening } from './testing/opening.ts';

const putFragment = 'PUT /up/{session}';
const block = 320 * 1024;
const bytes = randomBytes(partSize + 3 * block + 11);

async function begun(t: TestContext, provider: Provider = 'OneDrive', path = '/file', size = bytes.length, isNew = false) {
  const { notes, leftovers } = notebook();
  const opened = await opening(t, provider, { leftovers });
  const { connector, drive } = opened;
  const uploads = resumableUploadsOf(connector) ?? assert.fail();
  if (!isNew) await opened.put(path, 'the old one');
  const call: BeginUploadOptions = { ...ask(), size, ifExists: isNew ? 'fail' : 'replace' };
  const { session, expires } = await uploads.beginUpload(path, call);
  assert.ok((expires ?? 0) > Date.now() / 1000);
  const hash = namedHash('quickXor');
  hash.update(bytes.subarray(0, size));
  const hashes = { quickXor: String(hash.digest()) };
  const where = async () => uploads.uploadState(path, { ...ask(), session });
  const send = async (offset: number, end = Math.min(size, offset + partSize)) =>
    uploads.sendPart(path, Readable.from([bytes.subarray(offset, end)]), { ...ask(), session, offset, size: end - offset });
  const sendRest = async () => {
    for (let state = await where(); 'offset' in state && state.offset < size; state = await where()) await send(state.offset);
  };
  const finish = async () => uploads.finishUpload(path, { ...call, ...ask(), session, parts: [], hashes });
  /** Returns every name in the drive's root, including hidden ones. */
  const really = () => [...drive.walk(drive.root, []).children.values()].map(({ name }) => name).sort();
  return { ...opened, uploads, session, where, send, sendRest, finish, really, notes };
}

test('an upload in parts replaces the content of the same file, and its last bytes are never listed', async (t) => {
  const { connector, drive, get, names, sendRest, finish, really } = await begun(t);
  const file = drive.walk(drive.root, ['file']);
  const listed = await names('/');
  const before = really();
  await sendRest();
  assert.deepEqual(await names('/'), listed);
  assert.equal(really().length, before.length + 1);
  assert.equal((await get('/file')).toString(), 'the old one');
  await finish();
  assert.equal(drive.walk(drive.root, ['file']), file);
  assert.deepEqual(really(), before);
  assert.ok((await get('/file')).equals(bytes));
  assert.equal((await connector.stat('/file', ask())).size, bytes.length);
});

test("a part that is interrupted, or sent to a busy service, resumes at the service's offset", async (t) => {
  const { microsoft, get, send, sendRest, finish } = await begun(t);
  microsoft.faults.next(putFragment, 1, { kind: 'cutUpload', afterBytes: 7 * block });
  await send(0);
  microsoft.faults.next(putFragment, 1, { kind: 'rateLimit', retryAfter: 1 });
  await sendRest();
  await finish();
  assert.ok((await get('/file')).equals(bytes));
});

test('an upload of whole blocks, and one of less than a block, end when they are finished', async (t) => {
  for (const size of [block, 100, 2 * block]) {
    const { get, where, sendRest, finish } = await begun(t, 'OneDriveForBusiness', '/file', size);
    await sendRest();
    assert.deepEqual(await where(), { offset: size });
    assert.equal((await get('/file')).toString(), 'the old one');
    await finish();
    assert.ok((await get('/file')).equals(bytes.subarray(0, size)));
  }
});

test('an upload whose last bytes are missing is not finished', async (t) => {
  const { get, send, sendRest, where, finish } = await begun(t);
  await send(0);
  await assert.rejects(send(bytes.length - 11), { kind: 'interrupted' });
  await assert.rejects(finish(), { kind: 'sizeDiffers' });
  assert.deepEqual(await where(), { offset: partSize });
  await sendRest();
  await finish();
  assert.ok((await get('/file')).equals(bytes));
});

test('an upload whose last response is lost is finished', async (t) => {
  const { microsoft, get, sendRest, finish } = await begun(t, 'OneDriveForBusiness');
  await sendRest();
  microsoft.faults.next(putFragment, 1, { kind: 'lost' });
  assert.equal((await finish()).entry.size, bytes.length);
  assert.ok((await get('/file')).equals(bytes));
  await assert.rejects(finish(), { kind: 'notFound' });
});

test('an upload that was stored damaged is undone, and the old file is restored', async (t) => {
  const { microsoft, get, sendRest, finish } = await begun(t);
  await sendRest();
  microsoft.world.manners.damageNext = true;
  await assert.rejects(finish(), { kind: 'damaged' });
  assert.equal((await get('/file')).toString(), 'the old one');
});

test('an Office file that SharePoint writes into is finished', async (t) => {
  const { microsoft, sendRest, finish } = await begun(t, 'OneDriveForBusiness', '/letter.docx');
  await sendRest();
  microsoft.world.manners.damageNext = true;
  assert.equal((await finish()).entry.name, 'letter.docx');
});

test('an expired session is unknown, and its last bytes are deleted', async (t) => {
  const { microsoft, sendRest, where, send, finish, really, uploads, session } = await begun(t);
  const before = really();
  await sendRest();
  microsoft.forgetSessions();
  await assert.rejects(send(0), { kind: 'notFound' });
  await assert.rejects(where(), { kind: 'notFound' });
  await assert.rejects(finish(), { kind: 'notFound' });
  assert.deepEqual(really(), before);
  await uploads.abandonUpload('/file', { ...ask(), session });
});

test('an upload starts over when the file to replace is a different one by now, and replaces neither', async (t) => {
  const { microsoft, connector, put, get, sendRest, where, finish } = await begun(t);
  await sendRest();
  await connector.rename?.('/file', 'elsewhere', ask());
  await put('/file', 'another');
  await assert.rejects(finish(), { kind: 'notFound' });
  await assert.rejects(where(), { kind: 'notFound' });
  assert.equal(microsoft.sessions(), 0);
  assert.equal((await get('/file')).toString(), 'another');
  assert.equal((await get('/elsewhere')).toString(), 'the old one');
});

test('a new file is refused by the service itself when its name is taken, whatever a lookup of the name returns', async (t) => {
  const { microsoft, put, get, sendRest, finish, uploads, session, really } = await begun(
    t,
    'OneDriveForBusiness',
    '/new',
    bytes.length,
    true,
  );
  await sendRest();
  const looks = () => microsoft.requests.filter(({ method, path }) => method === 'GET' && path.includes(':/new:')).length;
  const before = looks();
  assert.ok(before > 0, 'the upload was begun without a look at the name');
  await put('/new', 'meanwhile');
  await assert.rejects(finish(), { kind: 'alreadyExists' });
  assert.equal(looks(), before);
  assert.equal((await get('/new')).toString(), 'meanwhile');
  await uploads.abandonUpload('/new', { ...ask(), session });
  assert.ok(!really().some((name) => name.startsWith('.sheaf-partial-')));
});

test('last bytes that cannot be deleted now are deleted by their note', async (t) => {
  const { microsoft, connector, sendRest, finish, really, notes } = await begun(t);
  const before = really();
  await sendRest();
  microsoft.faults.next(/^DELETE /, 1, { kind: 'reply', reply: { status: 423, json: { error: { code: 'resourceLocked', message: '' } } } });
  await finish();
  assert.deepEqual(
    notes.map(({ end }) => end),
    ['stays'],
  );
  assert.equal(really().length, before.length + 1);
  for (const { text } of notes) await connector.clearUp?.(text, ask());
  assert.deepEqual(really(), before);
  for (const { text } of notes) await connector.clearUp?.(text, ask());
});
