import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Item, type LinkDraft, type SavedFamily, download, familyCalls, linkUriOf, upload } from '@sheaf/contract';
import { startApache, startNginx, startOpenssh, startProftpd, startSwift, startVsftpd } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo, s3Info, sftpInfo } from '#/testing/links.ts';

/** A real server, its link, and another program that uses it. */
interface Place {
  readonly family: SavedFamily;
  readonly info: Readonly<Record<string, string>>;
  readonly more?: Partial<LinkDraft>;
  /** Writes a file as another program would. */
  write(name: string, text: string): Promise<void>;
  /** All names, including hidden ones. */
  names(): Promise<string[]>;
  stop(): Promise<void>;
}

const onDisk = (home: string): Pick<Place, 'write' | 'names'> => ({
  write: (name, text) => writeFile(join(home, name), text, { mode: 0o644 }),
  names: () => readdir(home),
});
const overDav = (start: typeof startNginx, folder: string) => async (): Promise<Place> => {
  const { user: username, password, home, port, stop } = await start();
  const info = { ...davInfo, server: `http://127.0.0.1:${port}${folder}`, username, password };
  return { family: 'webdav', info, more: { provider: 'WebDAV' }, ...onDisk(home), stop };
};
const overFtp = (start: typeof startProftpd) => async (): Promise<Place> => {
  const { user: username, password, home, port, stop } = await start();
  const info = { ...ftpInfo, protocol: 'FTP', server: `127.0.0.1:${port}`, username, password };
  return { family: 'ftp', info, ...onDisk(home), stop };
};
const places: Readonly<Record<string, () => Promise<Place>>> = {
  async OpenSSH() {
    const { port, username, password, home, stop } = await startOpenssh();
    return { family: 'sftp', info: { ...sftpInfo, server: `127.0.0.1:${port}`, username, password }, ...onDisk(home), stop };
  },
  ProFTPD: overFtp(startProftpd),
  vsftpd: overFtp(startVsftpd),
  Apache: overDav(startApache, '/dav'),
  nginx: overDav(startNginx, ''),
  async 'an S3 server'() {
    const { endpoint, key, secret, createBucket, putObject, keys, stop } = await startSwift();
    await createBucket('photos');
    return {
      family: 's3',
      info: { ...s3Info, host: endpoint, key, secret },
      more: { provider: 'S3Compat' },
      write: (name, text) => putObject('photos', name, text),
      names: () => keys('photos', ''),
      stop,
    };
  },
};

/** A user of a listening server, with a link to the folder. */
async function linked(t: TestContext, { family, info, more }: Place) {
  const { app, signUp } = await testApp(t);
  const user = await signUp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { userLinkId } = await user.ask(familyCalls[family].add, draftOf(info, { serverName: 'Real', ...more }));
  const address = (path: string, query: Record<string, string>) =>
    `http://127.0.0.1:${port}${path}?${new URLSearchParams(query).toString()}`;
  return {
    begin: (name: string, size: number) =>
      request(address(upload.path, { parentLinkUri: linkUriOf(userLinkId, '/'), name, conflict: 'rename' }), {
        method: 'PUT',
        headers: { cookie, 'x-rtag': user.session.rTag, 'content-length': String(size) },
      }),
    async get(name: string): Promise<Buffer> {
      const response = await fetch(address(download.path, { linkUri: linkUriOf(userLinkId, `/${name}`) }), { headers: { cookie } });
      return Buffer.from(await response.arrayBuffer());
    },
  };
}

const MiB = 1 << 20;

for (const [title, start] of Object.entries(places))
  test(`an upload whose name is taken while it arrives gets the next free name on ${title}`, async (t) => {
    const place = await start();
    t.after(() => place.stop());
    const { begin, get } = await linked(t, place);
    const bytes = randomBytes(15 * MiB);
    const client = begin('report.txt', bytes.byteLength);
    const answered = once(client, 'response');
    // More than the sockets buffer: after this much of its body, the upload has looked for a free name.
    for (let at = 0; at < 14 * MiB; at += MiB) if (!client.write(bytes.subarray(at, at + MiB))) await once(client, 'drain');
    await place.write('report.txt', 'of another program');
    await place.write('report 2.txt', 'of one more');
    client.end(bytes.subarray(14 * MiB));
    const [response] = (await answered) as [IncomingMessage];
    const { data } = JSON.parse(Buffer.concat(await response.toArray()).toString()) as { data?: Item };
    assert.deepEqual([response.statusCode, data?.name, data?.size], [200, 'report 3.txt', bytes.byteLength]);
    assert.deepEqual((await place.names()).toSorted(), ['report 2.txt', 'report 3.txt', 'report.txt']);
    assert.ok((await get('report 3.txt')).equals(bytes));
    assert.equal((await get('report.txt')).toString(), 'of another program');
    assert.equal((await get('report 2.txt')).toString(), 'of one more');
  });
