import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  type Item,
  type LinkDraft,
  type SavedFamily,
  addFolder,
  deleteObject,
  download,
  familyCalls,
  remoteUpdate,
  renameObject,
  resolvePath,
  upload,
} from '@sheaf/contract';
import { eventually, startApache, startNginx, startOpenssh, startProftpd, startSwift } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo, s3Info, sftpInfo } from '#/testing/links.ts';

/** A real server and its link. */
interface Server {
  readonly info: Readonly<Record<string, string>>;
  readonly more?: Partial<LinkDraft>;
  stop(): Promise<void>;
}
const servers: Readonly<Partial<Record<SavedFamily, () => Promise<Server>>>> = {
  async sftp() {
    const { host, port, username, password, stop } = await startOpenssh();
    return { info: { ...sftpInfo, server: `${host}:${port}`, username, password }, stop };
  },
  async ftp() {
    const { host, port, user, password, stop } = await startProftpd();
    return { info: { ...ftpInfo, protocol: 'FTP', server: `${host}:${port}`, username: user, password }, stop };
  },
  async webdav() {
    const { url, user, password, stop } = await startApache();
    return { info: { ...davInfo, server: url, username: user, password }, more: { provider: 'WebDAV' }, stop };
  },
  async s3() {
    const { endpoint, key, secret, createBucket, stop } = await startSwift();
    await createBucket('photos');
    return { info: { ...s3Info, host: endpoint, key, secret }, more: { provider: 'S3Compat' }, stop };
  },
};

/** Names that often break programs, valid on every one of the servers. */
const names = [
  'plain.txt',
  'a b.txt',
  '#1.txt',
  '100%.txt',
  'a&b+c=d.txt',
  `it's "quoted".txt`,
  '🙂.txt',
  '漢字.txt',
  '\u00e9.txt',
  'e\u0301.txt',
  '.hidden',
];

/** A user with a link to the server, at a listening server. */
async function setting(t: TestContext, family: SavedFamily, start: () => Promise<Server>) {
  const server = await start();
  t.after(() => server.stop());
  const { app, signUp } = await testApp(t);
  const user = await signUp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'x-rtag': user.session.rTag };
  const url = (call: { path: string }, query: Record<string, string>) =>
    `http://127.0.0.1:${port}${call.path}?${new URLSearchParams(query).toString()}`;
  const { linkUri } = await user.ask(familyCalls[family].add, draftOf(server.info, { serverName: 'Real', ...server.more }));
  const list = async (folder: string) => {
    const view = { sort: 'name', order: 'asc', refresh: true, limit: 1000 } as const;
    return (await user.ask(remoteUpdate, { linkUri: folder, fresh: true, ...view })).items;
  };
  return {
    user,
    linkUri,
    headers,
    url,
    list,
    async put(folder: string, name: string, body: Uint8Array<ArrayBuffer>, conflict = 'fail') {
      const response = await fetch(url(upload, { parentLinkUri: folder, name, conflict }), { method: 'PUT', body, headers });
      return (await response.json()) as { data?: Item; errorCode?: number };
    },
    async get(item: string, range?: string) {
      const response = await fetch(url(download, { linkUri: item }), { headers: { ...headers, ...(range !== undefined && { range }) } });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    },
  };
}

for (const [family, start] of Object.entries(servers) as [SavedFamily, () => Promise<Server>][]) {
  test(`files are uploaded, read back, renamed and deleted on a real ${family} server`, async (t) => {
    const { user, linkUri, list, put, get } = await setting(t, family, start);
    const folder = await user.ask(addFolder, { parentLinkUri: linkUri, folderName: 'Ordner #1 & 漢', conflict: 'rename' });
    const contents = new Map(names.map((name) => [name, randomBytes(1000)]));
    for (const [name, bytes] of contents) assert.equal((await put(folder.linkUri, name, bytes)).data?.size, 1000, name);
    const items = await list(folder.linkUri);
    assert.deepEqual(new Set(items.map(({ name }) => name)), new Set(names));
    for (const { name, linkUri: item } of items) assert.deepEqual((await get(item)).bytes, contents.get(name), name);

    const large = randomBytes(12_000_000);
    const stored = await put(folder.linkUri, 'large.bin', large);
    const largeUri = stored.data?.linkUri ?? '';
    const part = await get(largeUri, 'bytes=1000000-1999999');
    assert.deepEqual([part.status, part.bytes.equals(large.subarray(1_000_000, 2_000_000))], [206, true]);

    assert.equal((await put(folder.linkUri, 'plain.txt', randomBytes(5))).errorCode, 702);
    assert.equal((await put(folder.linkUri, 'plain.txt', randomBytes(5), 'rename')).data?.name, 'plain 2.txt');
    assert.equal((await put(folder.linkUri, 'plain.txt', randomBytes(5), 'replace')).data?.size, 5);

    const renamed = await user.ask(renameObject, { linkUri: largeUri, newName: 'größer.bin' });
    assert.ok((await get(renamed.linkUri)).bytes.equals(large));
    const { item } = await user.ask(resolvePath, { path: 'Real/Ordner #1 & 漢/größer.bin' });
    assert.equal(item.linkUri, renamed.linkUri);
    await user.ask(deleteObject, { linkUri: renamed.linkUri });
    assert.equal((await get(renamed.linkUri)).status, 404);
    await user.ask(deleteObject, { linkUri: folder.linkUri });
    assert.ok(!(await list(linkUri)).some(({ name }) => name === folder.name));
  });

  test(`an interrupted upload leaves the old file and no partial one on a real ${family} server`, async (t) => {
    const { linkUri, headers, url, list, put, get } = await setting(t, family, start);
    const old = randomBytes(100);
    const { data } = await put(linkUri, 'a.bin', old);
    assert.ok(data);
    const target = url(upload, { parentLinkUri: linkUri, name: 'a.bin', conflict: 'replace' });
    const client = request(target, { method: 'PUT', headers: { ...headers, 'content-length': '50000000' } });
    // The test is about the interruption.
    client.on('error', () => undefined);
    for (let sent = 0; sent < 5; sent++) if (!client.write(Buffer.alloc(1 << 20))) await once(client, 'drain');
    client.destroy();
    await eventually(async () => (await get(data.linkUri)).bytes.equals(old), 'the old file is there');
    assert.deepEqual(
      (await list(linkUri)).map(({ name }) => name),
      ['a.bin'],
    );
  });
}

test("a download resumes where it stopped, also from a server that reports a file's tag only while sending it", async (t) => {
  const { linkUri, headers, url, put } = await setting(t, 'webdav', async () => {
    const { url: server, user: username, password, stop } = await startNginx();
    return { info: { ...davInfo, server, username, password }, more: { provider: 'WebDAV' }, stop };
  });
  const bytes = randomBytes(1000);
  const { data } = await put(linkUri, 'a.bin', bytes);
  const get = async (more: Record<string, string>) => {
    const response = await fetch(url(download, { linkUri: data?.linkUri ?? '' }), { headers: { ...headers, ...more } });
    return { status: response.status, etag: response.headers.get('etag') ?? '', bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const { etag } = await get({});
  const rest = await get({ range: 'bytes=400-', 'if-range': etag });
  assert.deepEqual([rest.status, rest.etag, rest.bytes.equals(bytes.subarray(400))], [206, etag, true]);
  assert.equal((await get({ 'if-none-match': etag })).status, 304);
  const other = randomBytes(1100);
  await put(linkUri, 'a.bin', other, 'replace');
  const whole = await get({ range: 'bytes=400-', 'if-range': etag });
  assert.deepEqual([whole.status, whole.bytes.equals(other)], [200, true]);
});
