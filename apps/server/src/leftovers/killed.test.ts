import assert from 'node:assert/strict';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { emailSignup, familyCalls, getMetadata, linkUriOf, renameObject } from '@sheaf/contract';
import { type OpensshServer, eventually, startOpenssh, startProxy, startSwift, tempDir } from '@sheaf/testbed';
import { systemClock } from '#/clock.ts';
import { readConfig } from '#/config.ts';
import { createLog } from '#/log.ts';
import { createServices } from '#/services.ts';
import { testDatabase, testEngine } from '#/testing/database.ts';
import { draftOf, s3Info, sftpInfo } from '#/testing/links.ts';
import { startServer } from '#/testing/server-process.ts';
import { lease } from './notes.ts';

const partialsIn = async ({ home }: OpensshServer): Promise<string[]> =>
  (await readdir(home)).filter((name) => name.startsWith('.sheaf-partial-'));

test('a server that is killed in the middle of an upload clears up at the source when it is started again; the old file is whole', async (t) => {
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

  // As if it were started again when the upload has given no sign of life for long enough.
  const again = await createServices(readConfig(settings), createLog('silent'), { now: () => systemClock() + lease + 1 });
  await again.background.idle();
  await again.close();
  assert.deepEqual((await readdir(openssh.home)).sort(), ['.sheaf-partial-of-somebody', 'report']);
  assert.equal(await readFile(join(openssh.home, 'report'), 'utf8'), 'the old one');
});

test('a folder of an object store whose renaming is killed half-way is renamed whole after the restart', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.stop());
  const folder = await tempDir('killed');
  t.after(() => folder.remove());
  const proxy = await startProxy({ target: swift });
  t.after(() => proxy.stop());
  await swift.createBucket('photos');
  const parts = Array.from({ length: 300 }, (_, index) => `${index % 10}/photo ${index}`);
  for (let at = 0; at < parts.length; at += 20)
    await Promise.all(parts.slice(at, at + 20).map((part) => swift.putObject('photos', `album/${part}`, `bytes of ${part}`)));
  const settings = { SHEAF_DATA_DIR: folder.path, SHEAF_DATABASE_URL: await testDatabase() };

  const server = await startServer(t, settings);
  await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
  const info = { ...s3Info, host: `http://127.0.0.1:${proxy.port}`, key: swift.key, secret: swift.secret };
  const { userLinkId } = await server.ask(familyCalls.s3.add, draftOf(info, { provider: 'S3Compat', linkName: 'B' }));
  const linkUri = linkUriOf(userLinkId, '/album');
  proxy.delay(50);
  const broken = server.ask(renameObject, { linkUri, newName: 'holiday' }).then(
    () => false,
    () => true,
  );
  await eventually(async () => (await swift.keys('photos', 'holiday/')).length > 20, 'part of the folder has its new name');
  await server.kill();
  assert.equal(await broken, true);
  assert.ok((await swift.keys('photos', 'holiday/')).length < parts.length);
  proxy.delay(0);

  if (testEngine === 'sqlite') {
    const again = await startServer(t, settings, server.cookies);
    await eventually(async () => (await swift.keys('photos', 'album/')).length === 0, 'the move is finished', 60_000);
    assert.equal((await again.ask(getMetadata, { linkUri: linkUriOf(userLinkId, '/holiday/7/photo 7') })).name, 'photo 7');
    await again.kill();
  } else {
    // Other instances wait until the lease has expired.
    const again = await createServices(readConfig(settings), createLog('silent'), { now: () => systemClock() + lease + 1 });
    await again.background.idle();
    await again.close();
  }
  assert.deepEqual(await swift.keys('photos', 'album/'), []);
  assert.deepEqual(await swift.keys('photos', ''), parts.map((part) => `holiday/${part}`).toSorted());
});
