import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startBox } from '@sheaf/testbed';
import { resumableUploadsOf } from '../../../core/operations.ts';
import type { SentPart } from '../../../core/upload.ts';
import { collect } from '../../../kit/body/body.ts';
import { namedHash } from '../../../kit/hash/named-hash.ts';
import { ask, openMara } from '../testing/link.ts';

const partSize = 4 * 1024 * 1024;
const bytes = randomBytes(5 * partSize + 1000);
const partRequest = 'PUT /files/upload_sessions/{upload_session_id}';
const commitRequest = 'POST /files/upload_sessions/{upload_session_id}/commit';

async function begun(t: TestContext, ifExists: 'fail' | 'replace' = 'replace') {
  const simulator = await startBox({ partSize, listedParts: 2 });
  t.after(async () => {
    await simulator.stop();
    simulator.assertClean();
  });
  const connector = await openMara(simulator);
  t.after(() => connector.close());
  const uploads = resumableUploadsOf(connector) ?? assert.fail();
  const call = { ...ask(), size: bytes.length, ifExists };
  const put = async (content: string) =>
    connector.write?.('/file', Readable.from([Buffer.from(content)]), { ...ask(), ifExists: 'replace', size: content.length });
  if (ifExists === 'replace') await put('the old one');
  const { session, needs, expires } = await uploads.beginUpload('/file', call);
  assert.deepEqual(needs, ['sha1']);
  assert.ok((expires ?? 0) > Date.now() / 1000);
  const sha1 = namedHash('sha1');
  sha1.update(bytes);
  const hashes = { sha1: String(sha1.digest()) };

  const send = async (offset: number, content: Uint8Array = bytes): Promise<SentPart> => {
    const part = content.subarray(offset, offset + partSize);
    const receipt = await uploads.sendPart('/file', Readable.from([part]), { ...ask(), session, offset, size: part.length });
    return { offset, size: part.length, receipt };
  };
  const sendAll = async () => {
    const parts: SentPart[] = [];
    for (let offset = 0; offset < bytes.length; offset += partSize) parts.push(await send(offset));
    return parts;
  };
  const state = async () => uploads.uploadState('/file', { ...ask(), session });
  const finish = async (parts: readonly SentPart[]) => uploads.finishUpload('/file', { ...call, ...ask(), session, parts, hashes });
  const content = async () => collect(await connector.read('/file', ask()));
  return { simulator, connector, uploads, session, send, sendAll, state, finish, put, content };
}

test('a small file is not accepted in parts', async (t) => {
  const { uploads } = await begun(t);
  await assert.rejects(uploads.beginUpload('/small', { ...ask(), size: 19_999_999, ifExists: 'fail' }), { kind: 'unsupported' });
});

test('a part whose response is lost is found among the listed ones, on any page', async (t) => {
  const { simulator, send, sendAll, state, finish, content } = await begun(t);
  for (const offset of [0, partSize, 2 * partSize]) await send(offset);
  simulator.faults.next(partRequest, 1, { kind: 'lost' });
  await send(3 * partSize);
  const now = await state();
  assert.ok('parts' in now);
  assert.equal(now.parts.length, 4);
  const parts = await sendAll();
  assert.deepEqual(parts.slice(0, 4), now.parts);
  assert.equal((await finish(parts)).entry.size, bytes.length);
  assert.ok((await content()).equals(bytes));
  assert.equal(simulator.sessions(), 0);
});

test('different bytes for a part that Box already has are refused', async (t) => {
  const { send } = await begun(t);
  await send(0);
  await assert.rejects(send(0, Buffer.alloc(partSize, 'x')), { kind: 'interrupted' });
});

test('a part that was damaged in transit is refused', async (t) => {
  const { simulator, send, state } = await begun(t);
  simulator.limits.damageNext = true;
  await assert.rejects(send(0), { kind: 'damaged' });
  assert.deepEqual(await state(), { parts: [] });
});

test('an upload with a part missing is not finished', async (t) => {
  const { sendAll, finish, content } = await begun(t);
  const parts = await sendAll();
  await assert.rejects(finish(parts.slice(1)), { kind: 'sizeDiffers' });
  assert.equal((await content()).toString(), 'the old one');
  await finish(parts);
});

test('a commit creates the file although it waits for Box and its response is lost', async (t) => {
  const { simulator, sendAll, finish, content } = await begun(t);
  const parts = await sendAll();
  simulator.faults.next(commitRequest, 1, { kind: 'slow', ms: 0 });
  simulator.faults.next(commitRequest, 1, { kind: 'lost' });
  assert.equal((await finish(parts)).entry.size, bytes.length);
  assert.ok((await content()).equals(bytes));
  await assert.rejects(finish(parts), { kind: 'notFound' });
});

test('an upload starts over when the file to replace is a different one by now, and replaces neither', async (t) => {
  const { simulator, connector, sendAll, state, finish, put, content } = await begun(t);
  const parts = await sendAll();
  await connector.rename?.('/file', 'elsewhere', ask());
  await put('another');
  await assert.rejects(finish(parts), { kind: 'notFound' });
  await assert.rejects(state(), { kind: 'notFound' });
  assert.equal(simulator.sessions(), 0);
  assert.equal((await content()).toString(), 'another');
  assert.equal((await collect(await connector.read('/elsewhere', ask()))).toString(), 'the old one');
});

test('an item that took the name of a new file is not replaced', async (t) => {
  const { sendAll, finish, put, content, uploads, session } = await begun(t, 'fail');
  const parts = await sendAll();
  await put('meanwhile');
  await assert.rejects(finish(parts), { kind: 'alreadyExists' });
  assert.equal((await content()).toString(), 'meanwhile');
  await uploads.abandonUpload('/file', { ...ask(), session });
  await assert.rejects(finish(parts), { kind: 'notFound' });
});
