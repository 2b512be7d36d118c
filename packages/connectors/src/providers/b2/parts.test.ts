import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { resumableUploadsOf } from '../../core/operations.ts';
import { ask, start, textOf, write } from './testing/link.ts';

const usualPart = 5 * 1024 * 1024;
const bytes = Buffer.alloc(usualPart + 10, 'abc');
const call = () => ({ ...ask(), size: bytes.length, ifExists: 'replace' as const });

async function begin(t: TestContext) {
  const { server, connector, open } = await start(t, { usualPart });
  await write(connector, '/photos/file', 'the old one');
  const uploads = resumableUploadsOf(connector) ?? assert.fail();
  const { session } = await uploads.beginUpload('/photos/file', call());
  const send = async (offset: number) => {
    const part = bytes.subarray(offset, offset + usualPart);
    const sent = { ...ask(), session, offset, size: part.length };
    return { offset, size: part.length, receipt: await uploads.sendPart('/photos/file', Readable.from([part]), sent) };
  };
  return { server, connector, open, uploads, session, send };
}

test('a part that arrives damaged is refused, and can be sent again', async (t) => {
  const { server, connector, uploads, session, send } = await begin(t);
  server.uploads.corruptNext(1);
  await assert.rejects(send(0), { kind: 'damaged' });
  const parts = [await send(0), await send(usualPart)];
  const { proof } = await uploads.finishUpload('/photos/file', { ...call(), session, parts, hashes: {} });
  assert.equal(proof?.computed, proof?.stored);
  assert.equal(await textOf(connector, '/photos/file'), bytes.toString());
});

test('an upload that was cancelled at B2 is unknown', async (t) => {
  const { server, connector, uploads, session, send } = await begin(t);
  const parts = [await send(0)];
  server.state.large.clear();
  await assert.rejects(send(usualPart), { kind: 'notFound' });
  await assert.rejects(uploads.uploadState('/photos/file', { ...ask(), session }), { kind: 'notFound' });
  await assert.rejects(uploads.finishUpload('/photos/file', { ...call(), session, parts, hashes: {} }), { kind: 'notFound' });
  assert.equal(await textOf(connector, '/photos/file'), 'the old one');
});

test('a file of one part is sent in one request, and a bucket is not a file', async (t) => {
  const { uploads } = await begin(t);
  await assert.rejects(uploads.beginUpload('/photos/file', { ...call(), size: usualPart }), { kind: 'unsupported' });
  await assert.rejects(uploads.beginUpload('/photos', call()), { kind: 'alreadyExists' });
});

test('a SHA-1 that B2 has not verified is not reported, and a read-only key reports the others', async (t) => {
  const { server, open } = await begin(t);
  const bucket = server.state.bucketNamed('photos') ?? assert.fail();
  const content = server.contents.of(Buffer.from('x'));
  const version = { action: 'upload' as const, content, contentType: 'text/plain', uploadTimestamp: server.state.now() };
  const sha1 = 'a'.repeat(40);
  for (const [fileName, contentSha1, fileInfo] of [
    ['unverified', `unverified:${sha1}`, {}],
    ['declared', 'none', { large_file_sha1: sha1 }],
  ] as const)
    server.state.add(bucket, { ...version, fileId: server.state.newId(), fileName, contentSha1, fileInfo });
  const reader = open({ ...server.masterKey, allowWrite: 'DISALLOW_WRITE' });
  assert.deepEqual(reader.hashes, ['sha1']);
  assert.equal(resumableUploadsOf(reader), undefined);
  const entries = (await Array.fromAsync(reader.list('/photos', ask()))).flat();
  assert.deepEqual(
    entries.filter(({ name }) => name !== 'file').map(({ name, hashes }) => [name, hashes?.sha1]),
    [
      ['declared', sha1],
      ['unverified', undefined],
    ],
  );
});
