import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addFolder, deleteObject, emailSignup, familyCalls, getMetadata, linkUriOf, remoteUpdate, renameObject } from '@sheaf/contract';
import { type OpensshServer, createRandom, eventually, startOpenssh, startProxy, startSwift, tempDir } from '@sheaf/testbed';
import { systemClock } from '#/platform/clock.ts';
import { readConfig } from '#/platform/config/config.ts';
import { createLog } from '#/platform/log.ts';
import { createServices } from '#/services.ts';
import { testDatabase } from '#/testing/database.ts';
import { draftOf, s3Info, sftpInfo } from '#/testing/links.ts';
import { startServer } from '#/testing/server-process.ts';
import { lease } from './notes.ts';

const partialsIn = async ({ home }: OpensshServer): Promise<string[]> =>
  (await readdir(home)).filter((name) => name.startsWith('.sheaf-partial-'));

test('a server killed in the middle of an upload cleans up at the source after its restart; the old file is whole', async (t) => {
  const openssh = await startOpenssh();
  t.after(() => openssh.stop());
  const folder = await tempDir('killed');
  t.after(() => folder.remove());
  await writeFile(join(openssh.home, 'report'), 'the old one', { mode: 0o666 });
  await writeFile(join(openssh.home, '.sheaf-partial-of-somebody'), 'not noted');
  const settings = { SHEAF_DATA_DIR: folder.path, SHEAF_DATABASE_URL: await testDatabase() };

  const server = await startServer(t, settings);
  await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
  const { host, port, username, password } = openssh;
  const info = { ...sftpInfo, server: `${host}:${port}`, username, password };
  const { userLinkId } = await server.ask(familyCalls.sftp.add, draftOf(info, { linkName: 'NAS' }));
  const client = server.beginUpload(userLinkId, 'report');
  const arrived = async (): Promise<boolean> => {
    const name = (await partialsIn(openssh)).find((one) => !one.endsWith('somebody'));
    return name !== undefined && (await stat(join(openssh.home, name))).size > 1 << 20;
  };
  await eventually(arrived, 'part of the upload has arrived');
  await server.kill();
  client.destroy();
  assert.equal((await partialsIn(openssh)).length, 2);

  // As if it were restarted after the upload's lease has expired.
  const again = await createServices(readConfig({ ...settings, SHEAF_CRAWL: 'off' }), createLog('silent'), {
    now: () => systemClock() + lease + 1,
  });
  await again.background.idle();
  await again.close();
  // The bin was made ready for the old file, which stayed where it is.
  assert.deepEqual((await readdir(openssh.home)).sort(), ['.sheaf-bin', '.sheaf-partial-of-somebody', 'report']);
  const binned = await readdir(join(openssh.home, '.sheaf-bin'), { recursive: true, withFileTypes: true });
  assert.deepEqual(
    binned.filter((entry) => entry.isFile()),
    [],
  );
  assert.equal(await readFile(join(openssh.home, 'report'), 'utf8'), 'the old one');
});

const seed = 35;
const count = 1500;

/** A server process with a link to a bucket of a real S3 server, whose connection can be slowed down. */
async function objectStore(t: TestContext, databaseUrl: string) {
  const swift = await startSwift();
  t.after(() => swift.stop());
  const folder = await tempDir('killed');
  t.after(() => folder.remove());
  const proxy = await startProxy({ target: swift });
  t.after(() => proxy.stop());
  await swift.createBucket('photos');
  const settings = {
    SHEAF_DATA_DIR: folder.path,
    SHEAF_DATABASE_URL: databaseUrl,
    SHEAF_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const server = await startServer(t, settings);
  await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
  const info = { ...s3Info, host: `http://127.0.0.1:${proxy.port}`, key: swift.key, secret: swift.secret };
  const { userLinkId } = await server.ask(familyCalls.s3.add, draftOf(info, { provider: 'S3Compat', linkName: 'B' }));
  return {
    swift,
    proxy,
    server,
    again: () => startServer(t, settings, server.cookies),
    uri: (path: string) => linkUriOf(userLinkId, path),
    held: async (prefix: string) => (await swift.keys('photos', prefix)).length,
  };
}

test('a rename of a folder of 1,500 objects that is killed is finished soon after the restart', async (t) => {
  const { swift, proxy, server, again, uri, held } = await objectStore(t, await testDatabase());
  const parts = Array.from({ length: count }, (_, index) => `${index % 10}/photo ${index}`).toSorted();
  for (let at = 0; at < count; at += 20)
    await Promise.all(parts.slice(at, at + 20).map((part) => swift.putObject('photos', `0/${part}`, `bytes of ${part}`)));
  const random = createRandom(seed);
  const moments = {
    'early in the copies': { copies: 1 + random() * 200, originals: count },
    'late in the copies': { copies: 800 + random() * 600, originals: count },
    'in the deletions': { copies: count, originals: count - 1 - random() * 700 },
  };
  let running: Awaited<ReturnType<typeof startServer>> = server;
  for (const [index, [moment, { copies, originals }]] of Object.entries(moments).entries()) {
    const [from, to] = [String(index), String(index + 1)];
    const broken = running.ask(renameObject, { linkUri: uri(`/${from}`), newName: to }).then(
      () => false,
      () => true,
    );
    const isReached = async () => {
      // Listings take as much of the server's time as copies. The deletions are over too soon for a pause.
      if (originals === count) await sleep(200);
      return (await held(`${to}/`)) >= copies && (await held(`${from}/`)) <= originals;
    };
    await eventually(isReached, `the moment: ${moment}`, 120_000);
    await running.kill();
    const isBroken = await broken;
    t.diagnostic(`${moment}: ${await held(`${from}/`)} originals, ${await held(`${to}/`)} copies`);
    proxy.delay(30);
    running = await again();
    const since = performance.now();
    if (isBroken && index === 0) {
      const view = { sort: 'name', order: 'asc', fresh: true, refresh: true, limit: 10 } as const;
      assert.deepEqual((await running.ask(remoteUpdate, { linkUri: uri('/'), ...view })).renames, [{ name: from, newName: to }]);
      for (const conflicting of [from, to])
        await assert.rejects(running.ask(renameObject, { linkUri: uri(`/${conflicting}`), newName: 'else' }), /RENAME_UNDER_WAY/);
      await assert.rejects(running.ask(deleteObject, { linkUri: uri(`/${to}/7`) }), /RENAME_UNDER_WAY/);
      await assert.rejects(running.ask(addFolder, { parentLinkUri: uri('/'), folderName: to, conflict: 'fail' }), /RENAME_UNDER_WAY/);
    }
    proxy.delay(0);
    // At the second moment nobody repeats the rename.
    if (isBroken && index !== 1) {
      const item = await running.ask(renameObject, { linkUri: uri(`/${from}`), newName: to });
      assert.deepEqual([item.name, item.fileType], [to, 'FOLDER']);
    } else {
      const isFinished = async () => {
        await sleep(200);
        return (await held(`${from}/`)) === 0;
      };
      await eventually(isFinished, 'the move is finished', 120_000);
    }
    const seconds = (performance.now() - since) / 1000;
    t.diagnostic(`finished ${seconds.toFixed(1)} s after the restart`);
    assert.deepEqual(
      await swift.keys('photos', ''),
      parts.map((part) => `${to}/${part}`),
    );
    await eventually(
      () =>
        running.ask(getMetadata, { linkUri: uri(`/${to}/7/photo 7`) }).then(
          ({ name }) => name === 'photo 7',
          () => false,
        ),
      'the file has its new path',
    );
  }
  await running.kill();
});
