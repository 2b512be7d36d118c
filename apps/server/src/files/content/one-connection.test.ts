import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { familyCalls, linkUriOf, remoteUpdate, upload } from '@sheaf/contract';
import { type FtpServer, eventually, startProftpd, startVsftpd } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, ftpInfo } from '#/testing/links.ts';

/** Reads from the source, not from stored rows. */
const fresh = { fresh: true, refresh: false, limit: 25, sort: 'name', order: 'asc' } as const;
const stored = { ...fresh, fresh: false };

/** A server that gives one connection, a link that may have that one, and an upload that has it. */
async function uploading(t: TestContext, start: () => Promise<FtpServer>) {
  let client: ClientRequest | undefined;
  // Runs before the app closes, which waits for its clients.
  t.after(() => client?.destroy());
  const server = await start();
  t.after(() => server.stop());
  const { host, port, user, password, home } = server;
  for (const folder of ['seen', 'unseen']) {
    await mkdir(join(home, folder), { mode: 0o777 });
    await writeFile(join(home, folder, 'note.txt'), 'note');
  }
  const { app, signUp } = await testApp(t);
  const owner = await signUp();
  const info = { ...ftpInfo, protocol: 'FTP', server: `${host}:${port}`, username: user, password, numConcurrentConnections: '1' };
  const { userLinkId } = await owner.ask(familyCalls.ftp.add, draftOf(info));
  const uriOf = (path: string) => linkUriOf(userLinkId, path);
  await owner.ask(remoteUpdate, { linkUri: uriOf('/seen'), ...fresh });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const query = new URLSearchParams({ parentLinkUri: uriOf('/'), name: 'film.bin', conflict: 'fail' });
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { promise: answered, resolve } = Promise.withResolvers<number | undefined>();
  const bytes = randomBytes(4 * 1024 * 1024);
  const half = bytes.byteLength / 2;
  client = request(
    {
      host: '127.0.0.1',
      port: (app.server.address() as AddressInfo).port,
      path: `${upload.path}?${query.toString()}`,
      method: 'PUT',
      headers: { cookie, 'x-rtag': owner.session.rTag, 'content-length': String(bytes.byteLength) },
    },
    (response) => {
      response.resume();
      resolve(response.statusCode);
    },
  );
  // A test that fails ends it.
  client.on('error', () => undefined);
  client.write(bytes.subarray(0, half));
  await eventually(async () => (await readdir(home)).length > 2, 'the upload has begun at the server');
  const finish = async (): Promise<void> => {
    client.end(bytes.subarray(half));
    assert.equal(await answered, 200);
    assert.ok(bytes.equals(await readFile(join(home, 'film.bin'))));
  };
  return { owner, uriOf, finish };
}

const servers = [
  ['ProFTPD', () => startProftpd({ extra: ['MaxClientsPerHost 1'] })],
  ['vsftpd', () => startVsftpd({ extra: ['max_per_ip=1', 'local_umask=000', 'file_open_mode=0666'] })],
] as const;

for (const [title, start] of servers)
  test(`an upload that holds the only connection ${title} gives delays browsing, is named, and completes`, async (t) => {
    const { owner, uriOf, finish } = await uploading(t, start);
    const before = performance.now();
    assert.ok(JSON.stringify(await owner.ask(remoteUpdate, { linkUri: uriOf('/seen'), ...stored })).includes('note.txt'));
    const refused = await owner.refusal(remoteUpdate, { linkUri: uriOf('/unseen'), ...fresh });
    const waited = performance.now() - before;
    assert.deepEqual([refused.messageCode, refused.details['file']], ['LINK_UPLOADING', 'film.bin']);
    assert.ok(waited < 60_000, `answered after ${waited} ms`);
    await finish();
    assert.ok(JSON.stringify(await owner.ask(remoteUpdate, { linkUri: uriOf('/unseen'), ...fresh })).includes('note.txt'));
  });
