import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { emailSignup, familyCalls, linkUriOf } from '@sheaf/contract';
import { createRandom, eventually, tempDir } from '@sheaf/testbed';
import { testDatabase } from '#/testing/database.ts';
import { draftOf } from '#/testing/links.ts';
import { startServer } from '#/testing/server-process.ts';
import { s3Destination, sftpDestination } from '#/testing/storages/destinations.ts';
import { tusRequests } from '#/testing/tus.ts';

const MiB = 1024 * 1024;
const seed = 1409;
const kills = Number(process.env['SHEAF_TEST_KILLS'] ?? 4);
const size = Math.max(96, kills * 24) * MiB + 4321;
/** What a kill may cost: the part that was on its way. */
const sentTwiceAtMost = 16 * MiB;

/** Bytes at a pace that lets every kill come while they move. */
const paced = (bytes: Buffer): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await sleep(40);
      controller.enqueue(bytes.subarray(at, at + MiB));
      at += MiB;
      if (at >= bytes.byteLength) controller.close();
    },
  });
};

for (const [name, start] of [
  ['SFTP', sftpDestination],
  ['S3', s3Destination],
] as const)
  test(`an upload to ${name} survives kills of the server: each costs a part at most, and nothing is half visible`, async (t) => {
    const random = createRandom(seed);
    const destination = await start(t);
    const folder = await tempDir('killed');
    t.after(() => folder.remove());
    const settings = { SHEAF_DATA_DIR: folder.path, SHEAF_DATABASE_URL: await testDatabase() };
    let server = await startServer(t, settings);
    await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
    const draft = draftOf(destination.info, { linkName: 'To', ...destination.more });
    const { userLinkId } = await server.ask(familyCalls[destination.family].add, draft);
    const bytes = randomBytes(size);
    const parentLinkUri = linkUriOf(userLinkId, '/');
    const begun = await tusRequests(server).create(size, { parentLinkUri, name: 'film.bin' });
    assert.equal(begun.status, 201, await begun.text());
    const location = begun.headers.get('location') ?? assert.fail('no Location');
    let last = 0;
    for (let kill = 0; kill < kills; kill++) {
      const before = destination.bytesUp();
      const cut = tusRequests(server)
        .patch(location, last, paced(bytes.subarray(last)))
        .then(({ status }) => assert.fail(`ended with ${status}`))
        .catch((error: unknown) => (error instanceof TypeError ? undefined : Promise.reject(error)));
      await eventually(() => destination.bytesUp() > before + MiB, 'bytes move');
      await sleep(100 + random() * 900);
      await server.kill();
      await cut;
      assert.deepEqual([...(await destination.visible('')).keys()], []);
      server = await startServer(t, settings, server.cookies);
      const next = await tusRequests(server).offset(location);
      assert.ok(next >= last, `${next} after ${last}`);
      last = next;
    }
    for (let end = last; end < size; last = end) {
      end = Math.min(size, last + 40 * MiB);
      const response = await tusRequests(server).patch(location, last, bytes.subarray(last, end));
      if (response.status === 409) end = await tusRequests(server).offset(location);
      else assert.equal(response.status, 204, await response.text());
    }
    const sum = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual([...(await destination.visible(''))], [['film.bin', sum]]);
    const most = size * 1.02 + kills * sentTwiceAtMost;
    assert.ok(destination.bytesUp() < most, `${destination.bytesUp()} bytes were sent for ${size}`);
    t.diagnostic(`${destination.bytesUp()} bytes sent for ${size}, ${kills} kills, seed ${seed}`);
  });
