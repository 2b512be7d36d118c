import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { notebook } from '../../conformance/leftovers.ts';
import { collect } from '../../kit/body/body.ts';
import { ask, asked, call, namesIn, start, textOf, write } from './testing/link.ts';

const MiB = 1024 * 1024;
/** The smallest parts that B2 accepts. */
const sizes = { single: 6 * MiB, knownPart: 5 * MiB, unknownPart: 5 * MiB, mostParts: 10_000 };
const patterned = (size: number): Buffer =>
  Buffer.concat(Array.from({ length: size / 1021 + 1 }, (_, index) => Buffer.alloc(1021, index % 251))).subarray(0, size);

test('an upload URL that is gone, full or in use is replaced by another, and a working one is reused', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/photos/one', '1');
  await write(connector, '/photos/two', '2');
  assert.equal(asked(server, call('b2_get_upload_url')), 1);
  server.uploads.closePlaces();
  await write(connector, '/photos/three', '3');
  assert.equal(asked(server, call('b2_get_upload_url')), 2);
  const full = { status: 503, json: { status: 503, code: 'service_unavailable', message: 'no tomes available' } };
  server.faults.next(call('b2_upload_file/{rest}'), 2, { kind: 'reply', reply: { ...full, headers: { 'retry-after': '0' } } });
  server.faults.next(call('b2_upload_file/{rest}'), 1, { kind: 'cutUpload', afterBytes: 1 });
  await write(connector, '/photos/four', 'four');
  assert.deepEqual(await namesIn(connector, '/photos'), ['four', 'one', 'three', 'two']);
  assert.equal(await textOf(connector, '/photos/four'), 'four');
});

test('an upload waits as long as B2 asks', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/photos/one', '1');
  server.faults.next(call('b2_upload_file/{rest}'), 1, { kind: 'rateLimit', retryAfter: 1 });
  const before = performance.now();
  await write(connector, '/photos/two', '2');
  assert.ok(performance.now() - before >= 990);
  server.faults.next(call('b2_list_file_names'), 1, { kind: 'rateLimit', retryAfter: 7 });
  await assert.rejects(namesIn(connector, '/photos'), { kind: 'rateLimited', retryable: true, retryAfter: 7000 });
});

test('a reached cap is reported as a full account', async (t) => {
  const { server, connector } = await start(t);
  await write(connector, '/photos/file', 'x');
  server.caps.add('storage');
  await assert.rejects(write(connector, '/photos/more', 'y'), { kind: 'full' });
  server.caps.add('download');
  await assert.rejects(textOf(connector, '/photos/file'), { kind: 'full' });
});

test('bytes that change in transit are damaged in both directions, and the old file stays', async (t) => {
  const { server, connector } = await start(t, { sizes });
  await write(connector, '/photos/file', 'good');
  for (const [size, bytes] of [
    [4, Buffer.from('evil')],
    [5 * MiB + 1, patterned(5 * MiB + 1)],
    [12 * MiB, patterned(12 * MiB)],
    [undefined, patterned(12 * MiB)],
  ] as const) {
    server.uploads.corruptNext(1);
    const sent = connector.write?.('/photos/file', Readable.from([bytes]), {
      ...ask(),
      ifExists: 'replace',
      ...(size !== undefined && { size }),
    });
    await assert.rejects(async () => sent, { kind: 'damaged' }, `${size} bytes`);
  }
  assert.equal(server.state.large.size, 0);
  assert.equal(await textOf(connector, '/photos/file'), 'good');
  server.faults.next('GET /file/{bucketName}/{fileName}', 1, { kind: 'corrupt', at: 2 });
  await assert.rejects(textOf(connector, '/photos/file'), { kind: 'damaged' });
  server.faults.next('GET /file/{bucketName}/{fileName}', 1, { kind: 'cut', afterBytes: 2 });
  await assert.rejects(textOf(connector, '/photos/file'), { kind: 'interrupted' });
});

test('a long file is sent in parts, each resent when its URL fails, and is copied in parts too', async (t) => {
  const { server, connector } = await start(t, { sizes, copying: { single: 6 * MiB, part: 5 * MiB } });
  const bytes = patterned(17 * MiB + 3);
  for (const size of [bytes.length, undefined]) {
    server.faults.next(call('b2_upload_part/{rest}'), 1, { kind: 'cutUpload', afterBytes: MiB });
    const path = `/photos/${size ?? 'unknown'}`;
    const facts = { ifExists: 'replace', modified: 1_000_000_000, ...(size !== undefined && { size }) } as const;
    const entry = await connector.write?.(path, Readable.from([bytes]), { ...ask(), ...facts });
    assert.equal(entry?.size, bytes.length);
    assert.equal(entry.modified, 1_000_000_000);
    assert.ok((await collect(await connector.read(path, ask()))).equals(bytes));
  }
  await connector.copy?.('/photos/unknown', '/photos/copy', ask());
  assert.ok((await collect(await connector.read('/photos/copy', ask()))).equals(bytes));
  assert.equal((await connector.stat('/photos/copy', ask())).modified, 1_000_000_000);
  assert.equal(asked(server, call('b2_copy_part')), 4);
});

test('a body that turns out to be exactly one part long is not a large file', async (t) => {
  const { server, connector } = await start(t, { sizes });
  await connector.write?.('/photos/file', Readable.from([patterned(5 * MiB)]), { ...ask(), ifExists: 'replace' });
  assert.equal((await connector.stat('/photos/file', ask())).size, 5 * MiB);
  assert.equal(asked(server, call('b2_start_large_file')), 0);
});

test('a long upload that fails is cancelled at B2', async (t) => {
  const { server, connector } = await start(t, { sizes });
  const broken = { status: 400, json: { status: 400, code: 'cap_exceeded', message: '' } };
  server.faults.next(call('b2_finish_large_file'), 1, { kind: 'reply', reply: broken });
  await assert.rejects(write(connector, '/photos/file', patterned(12 * MiB)), { kind: 'full' });
  assert.equal(server.state.large.size, 0);
  assert.deepEqual(await namesIn(connector, '/photos'), []);
});

test('a long upload is noted before its first part; one that cannot be cancelled is cleaned up later, and a whole file never', async (t) => {
  const { notes, leftovers } = notebook();
  const { server, connector } = await start(t, { sizes, leftovers });
  const broken = { kind: 'reply', reply: { status: 403, json: { status: 403, code: 'storage_cap_exceeded', message: '' } } } as const;
  server.faults.next(call('b2_finish_large_file'), 1, broken);
  server.faults.next(call('b2_cancel_large_file'), 1, broken);
  await assert.rejects(write(connector, '/photos/file', patterned(12 * MiB)), { kind: 'full' });
  const [fileId = ''] = server.state.large.keys();
  assert.deepEqual(notes, [{ text: fileId, end: 'stays' }]);
  await connector.clearUp?.(fileId, ask());
  await connector.clearUp?.(fileId, ask());
  assert.equal(server.state.large.size, 0);
  await write(connector, '/photos/file', patterned(12 * MiB));
  assert.equal(notes[1]?.end, 'gone');
  await connector.clearUp?.(notes[1]?.text ?? '', ask());
  assert.deepEqual(await namesIn(connector, '/photos'), ['file']);
});

const busy = { kind: 'rateLimit', retryAfter: 0 } as const;

test('a long upload survives a busy B2 at every step, and a response lost at its end', async (t) => {
  const { server, connector } = await start(t, { sizes });
  const steps = ['b2_start_large_file', 'b2_get_upload_part_url', 'b2_upload_part/{rest}', 'b2_finish_large_file'];
  for (const step of steps) server.faults.next(call(step), 1, busy);
  const bytes = patterned(12 * MiB);
  assert.equal((await write(connector, '/photos/file', bytes))?.size, bytes.length);
  server.faults.next(call('b2_finish_large_file'), 1, { kind: 'lost' });
  assert.equal((await write(connector, '/photos/lost', bytes))?.size, bytes.length);
  assert.ok((await collect(await connector.read('/photos/lost', ask()))).equals(bytes));
  assert.equal(server.state.large.size, 0);
});

test('the second writer of a file that must not replace withdraws it, although B2 is busy', async (t) => {
  const { bucket, server, connector } = await start(t);
  server.faults.next(call('b2_upload_file/{rest}'), 2, { kind: 'slow', ms: 50 });
  for (const step of ['b2_list_file_versions', 'b2_delete_file_version']) server.faults.next(call(step), 1, busy);
  const both = await Promise.allSettled(['one', 'two'].map((text) => write(connector, '/photos/file', text, { ifExists: 'fail' })));
  const kinds = both.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { kind?: string }).kind] : []));
  assert.deepEqual(kinds, ['alreadyExists']);
  assert.equal(bucket.versions.get('file')?.length, 1);
});

test('of two writers that must not replace the first one stays', async (t) => {
  const { bucket, server, connector } = await start(t);
  const both = await Promise.allSettled(['one', 'two'].map((text) => write(connector, '/photos/file', text, { ifExists: 'fail' })));
  const kept = await textOf(connector, '/photos/file');
  const outcome = both.map(({ status }) => status);
  assert.equal(outcome.filter((status) => status === 'fulfilled').length, 1, outcome.join());
  assert.equal(kept, outcome[0] === 'fulfilled' ? 'one' : 'two');
  assert.equal(bucket.versions.get('file')?.length, 1);
  await connector.remove?.('/photos/file', ask());
  await write(connector, '/photos/file', 'three', { ifExists: 'fail' });
  assert.equal(await textOf(connector, '/photos/file'), 'three');
  assert.equal(server.state.current(bucket, 'file')?.action, 'upload');
});

test('deleted and replaced files stay at B2 as older versions', async (t) => {
  const { bucket, connector } = await start(t);
  await write(connector, '/photos/file', 'first');
  await write(connector, '/photos/file', 'second');
  await connector.remove?.('/photos/file', ask());
  assert.deepEqual(
    bucket.versions.get('file')?.map(({ action }) => action),
    ['hide', 'upload', 'upload'],
  );
});
