import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createAppPassword, emailSignup, familyCalls, linkUriOf } from '@sheaf/contract';
import { eventually, tempDir } from '@sheaf/testbed';
import { testDatabase } from '#/testing/database.ts';
import { draftOf } from '#/testing/links.ts';
import { startServer } from '#/testing/server-process.ts';
import { s3Destination, sftpDestination } from '#/testing/storages/destinations.ts';
import { s3Client, textsOf } from './testing/client.ts';

const partSize = 5 * 1024 * 1024;

/** On SFTP parts are hidden files that are joined at the end; an object store takes parts itself. */
const storages = { sftp: sftpDestination, objects: s3Destination };
for (const storage of ['sftp', 'objects'] as const)
  test(`an upload in parts to a storage of the kind ${storage} survives kills: no confirmed part is lost, and nothing is half visible`, async (t) => {
    const destination = await storages[storage](t);
    const folder = await tempDir('s3-killed');
    t.after(() => folder.remove());
    const settings = { SHEAF_DATA_DIR: folder.path, SHEAF_DATABASE_URL: await testDatabase() };
    let server = await startServer(t, settings);
    await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
    const { userLinkId } = await server.ask(
      familyCalls[destination.family].add,
      draftOf(destination.info, { linkName: 'NAS', ...destination.more }),
    );
    const keys = await server.ask(createAppPassword, { name: 'Test', linkUri: [linkUriOf(userLinkId, '/')], rights: 'write' });
    const path = '/nas/film.bin';
    let client = s3Client(server.url, keys);
    const begun = await client.ask({ method: 'POST', path, query: 'uploads=' });
    const id = textsOf(begun.text, 'UploadId')[0] ?? assert.fail(begun.text);
    const parts = [randomBytes(partSize), randomBytes(partSize), randomBytes(1234)];
    const send = (number: number) =>
      client.ask({ method: 'PUT', path, query: `partNumber=${number}&uploadId=${id}`, body: parts[number - 1] ?? '' });
    const restart = async (): Promise<void> => {
      await server.kill();
      server = await startServer(t, settings, server.cookies);
      client = s3Client(server.url, keys);
    };
    assert.equal((await send(1)).status, 200);
    const before = destination.bytesUp();
    const cut = send(2).then(
      ({ status }) => status,
      () => 'cut',
    );
    await eventually(() => destination.bytesUp() > before + 64 * 1024, 'bytes move');
    await restart();
    await cut;
    const keysOf = async () => textsOf((await client.ask({ path: '/nas', query: 'list-type=2' })).text, 'Key');
    assert.deepEqual(await keysOf(), []);
    for (const number of [3, 2]) assert.equal((await send(number)).status, 200);
    const tags = parts.map((bytes) => createHash('md5').update(bytes).digest('hex'));
    const all = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>"${tag}"</ETag></Part>`).join('');
    const complete = () =>
      client.ask({ method: 'POST', path, query: `uploadId=${id}`, body: `<CompleteMultipartUpload>${all}</CompleteMultipartUpload>` });
    const sent = destination.bytesUp();
    const joining = complete().then(
      ({ status }) => status,
      () => 'cut',
    );
    // An object store is sent no bytes while it joins, by which the moment could be chosen.
    if (storage === 'sftp') await eventually(() => destination.bytesUp() > sent + 1024 * 1024, 'the parts are being joined');
    await restart();
    await joining;
    const done = await complete();
    assert.equal(done.status, 200, done.text);
    const got = Buffer.from(await (await fetch(client.presign(path))).arrayBuffer());
    assert.ok(got.equals(Buffer.concat(parts)));
    assert.deepEqual(await keysOf(), ['film.bin']);
    if (storage === 'objects') assert.ok(destination.bytesUp() - sent < partSize, 'no part is sent again');
  });
