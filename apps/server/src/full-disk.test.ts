import assert from 'node:assert/strict';
import { mkdir, open, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type ErrorAnswer,
  addFolder,
  createAuthCode,
  download,
  emailLogin,
  emailSignup,
  familyCalls,
  linkUriOf,
  remoteUpdate,
  setEncryptionRootView,
  thumbnail,
} from '@sheaf/contract';
import { eventually, mountSmallDisk, mountingTests, startFileServer } from '@sheaf/testbed';
import sharp from 'sharp';
import { startServer } from '#/testing/server-process.ts';

/** A server whose data folder and log are on a disk of 12 MiB, with a user whose link leads to a file server with pictures. */
async function stage(t: TestContext) {
  const disk = await mountSmallDisk(12 << 20);
  t.after(() => disk.stop());
  const log = await open(join(disk.folder, 'log'), 'a');
  t.after(() => log.close());
  const files = await startFileServer({ keys: false });
  t.after(() => files.stop());
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  const image = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#2f6b4f', noise } })
    .jpeg()
    .toBuffer();
  await mkdir(join(files.root, 'pictures'));
  for (const name of ['cat.jpg', 'dog.jpg']) await writeFile(join(files.root, 'pictures', name), image);
  const data = join(disk.folder, 'data');
  const server = await startServer(t, { SHEAF_DATA_DIR: data, SHEAF_DATABASE_URL: '', SHEAF_LOG_LEVEL: 'debug' }, new Map(), log.fd);
  await server.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
  const connectionInfo = JSON.stringify({ server: files.url, username: files.user, password: files.password });
  const { userLinkId } = await server.ask(familyCalls.ofs.add, { connectionInfo, serverName: 'Attic' });
  const uri = (path: string) => linkUriOf(userLinkId, path);
  await server.ask(remoteUpdate, { linkUri: uri('/pictures'), fresh: true, sort: 'name', order: 'asc', refresh: false, limit: 25 });

  const get = (path: string, query: Readonly<Record<string, string>>) =>
    fetch(`${server.url}${path}?${new URLSearchParams(query).toString()}`, { headers: server.headers() });
  const post = (path: string, fields: Readonly<Record<string, string>>) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: server.headers(),
      body: new URLSearchParams({ rTag: server.cookies.get('sh') ?? '', ...fields }),
    });
  const filesIn = async (folder: string): Promise<string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).map(({ name }) => name);
  const keptPictures = () => filesIn(join(data, 'thumbnails')).catch((): string[] => []);
  return { disk, files, image, server, uri, get, post, keptPictures, logSize: async () => (await stat(join(disk.folder, 'log'))).size };
}

async function assertFull(response: Response): Promise<void> {
  const answer = (await response.json()) as ErrorAnswer;
  assert.deepEqual([response.status, answer.messageCode, answer.errorCode], [503, 'DATABASE_FULL', 744]);
  assert.match(answer.message, /Sheaf's own disk is full/);
  assert.ok(Number(response.headers.get('retry-after')) > 0);
}

await mountingTests(import.meta.filename, () => {
  test('on a full disk reads continue, writes are refused with the right error, nothing is left half-written, and free space ends it', async (t) => {
    const stand = await stage(t);
    const { disk, files, image, server, uri, get, post, keptPictures } = stand;
    await disk.fill();

    const whole = await get(download.path, { linkUri: uri('/pictures/cat.jpg') });
    assert.deepEqual([whole.status, Buffer.from(await whole.arrayBuffer()).equals(image)], [200, true]);
    for (let time = 0; time < 2; time++) {
      const picture = await get(thumbnail.path, { linkUri: uri('/pictures/cat.jpg'), size: '256' });
      assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp'], await picture.clone().text());
      assert.ok((await picture.arrayBuffer()).byteLength > 0);
    }
    assert.deepEqual(await keptPictures(), []);
    const listed = await post(remoteUpdate.path, { linkUri: uri('/pictures'), fresh: 'true' });
    assert.equal(listed.status, 200, await listed.clone().text());
    await assertFull(await post(createAuthCode.path, { name: 'Laptop' }));
    // What is wrong is the disk, and not the password.
    const credentials = new URLSearchParams({ email: 'mara@example.org', password: 'correct horse battery' });
    const signIn = () => fetch(server.url + emailLogin.path, { method: 'POST', body: credentials });
    await assertFull(await signIn());
    await assertFull(await post(setEncryptionRootView.path, { rootView: 'true' }));
    // By now the disk has no room for many of the log's lines.
    for (let call = 0; call < 200; call++) assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    const made = await post(addFolder.path, { parentLinkUri: uri('/'), folderName: 'new' });
    if (made.status !== 200) await assertFull(made);
    const query = { parentLinkUri: uri('/'), name: 'report.bin', conflict: 'fail' };
    const put = await fetch(`${server.url}/rest/content/upload?${new URLSearchParams(query).toString()}`, {
      method: 'PUT',
      headers: server.headers(),
      body: image,
    });
    if (put.status === 200) assert.ok((await readFile(join(files.root, 'report.bin'))).equals(image));
    else await assertFull(put);
    assert.deepEqual(
      (await readdir(files.root)).filter((name) => name.startsWith('.sheaf')),
      [],
    );
    assert.equal(server.exitCode(), null);

    await disk.free();
    const before = await stand.logSize();
    const code = await post(createAuthCode.path, { name: 'Laptop' });
    assert.equal(code.status, 200, await code.clone().text());
    assert.equal((await signIn()).status, 200);
    assert.equal((await post(setEncryptionRootView.path, { rootView: 'true' })).status, 200);
    await (await get(thumbnail.path, { linkUri: uri('/pictures/dog.jpg'), size: '256' })).arrayBuffer();
    await eventually(async () => (await keptPictures()).length === 1, 'a picture is kept again');
    assert.match((await keptPictures())[0] ?? '', /\.webp$/);
    await eventually(async () => (await stand.logSize()) > before, 'the log goes on');
  });
});
