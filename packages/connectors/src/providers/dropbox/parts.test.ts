import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { startDropbox } from '@sheaf/testbed';
import { resumableUploadsOf } from '../../core/operations.ts';
import { collect } from '../../kit/body/body.ts';
import { namedHash } from '../../kit/hash/named-hash.ts';
import { ask, openAs } from './testing/link.ts';

const MiB = 1024 * 1024;
const append = 'POST /2/files/upload_session/append_v2';

/** An upload of 20 MiB that has begun, in parts of 16 MiB. */
async function begun(t: TestContext, ifExists: 'fail' | 'replace' = 'fail') {
  const simulator = await startDropbox();
  const connector = await openAs(simulator, 'mara@example.org');
  t.after(async () => {
    await connector.close();
    await simulator.stop();
    simulator.assertClean();
  });
  const uploads = resumableUploadsOf(connector) ?? assert.fail('no uploads in parts');
  const bytes = Buffer.alloc(20 * MiB, 'abcdefg');
  const { session, partSize, kept } = await uploads.beginUpload('/big', { ...ask(), size: bytes.length, ifExists });
  kept();
  const send = (offset: number) => {
    const part = bytes.subarray(offset, offset + partSize);
    return uploads.sendPart('/big', Readable.from([part]), { ...ask(), session, offset, size: part.length });
  };
  const state = () => uploads.uploadState('/big', { ...ask(), session });
  const hash = namedHash('dropbox');
  hash.update(bytes);
  const finish = (dropbox = hash.digest()) =>
    uploads.finishUpload('/big', { ...ask(), session, size: bytes.length, ifExists, parts: [], hashes: { dropbox } });
  return { simulator, connector, uploads, bytes, partSize, send, state, finish, session };
}

test('a part whose response was lost counts as sent', async (t) => {
  const { simulator, connector, bytes, partSize, send, state, finish } = await begun(t);
  simulator.faults.next(append, 1, { kind: 'lost' });
  await send(0);
  assert.deepEqual(await state(), { offset: partSize });
  simulator.faults.next(append, 1, { kind: 'cutUpload', afterBytes: MiB });
  await send(partSize);
  assert.deepEqual(await state(), { offset: bytes.length });
  assert.equal((await finish()).entry.size, bytes.length);
  assert.ok((await collect(await connector.read('/big', ask()))).equals(bytes));
});

test('a part at the wrong offset is refused, and the session reports its offset', async (t) => {
  const { partSize, send, state } = await begun(t);
  assert.deepEqual(await state(), { offset: 0 });
  await assert.rejects(send(partSize), { kind: 'interrupted' });
  assert.deepEqual(await state(), { offset: 0 });
});

test('a session that Dropbox has forgotten is unknown at every step', async (t) => {
  const { simulator, uploads, send, state, finish, session } = await begun(t);
  await send(0);
  simulator.forgetSessions();
  await assert.rejects(state(), { kind: 'notFound' });
  await assert.rejects(send(0), { kind: 'notFound' });
  await assert.rejects(finish(), { kind: 'notFound' });
  await uploads.abandonUpload('/big', { ...ask(), session });
});

test('a file with other bytes than sent is damaged', async (t) => {
  const { partSize, send, finish } = await begun(t, 'replace');
  await send(0);
  await send(partSize);
  await assert.rejects(finish('0'.repeat(64)), { kind: 'damaged' });
});
