import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type LinkDraft,
  type SavedFamily,
  createWeblink,
  download,
  downloadWeblink,
  familyCalls,
  linkUriOf,
  remoteUpdate,
} from '@sheaf/contract';
import { startApache, startNginx, startOpenssh, startProxy } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { davInfo, draftOf, sftpInfo } from '#/testing/links.ts';

interface Way {
  readonly port: number;
}
/** A real server, and its link by another port. */
interface Stage {
  readonly family: SavedFamily;
  readonly home: string;
  readonly port: number;
  readonly info: (way: Way) => Readonly<Record<string, string>>;
  readonly more?: Partial<LinkDraft>;
  stop(): Promise<void>;
}

const overDav = (start: typeof startNginx, folder: string) => async (): Promise<Stage> => {
  const { user, password, ...rest } = await start();
  const info = ({ port }: Way) => ({ ...davInfo, server: `http://127.0.0.1:${port}${folder}`, username: user, password });
  return { ...rest, family: 'webdav', info, more: { provider: 'WebDAV' } };
};
const stages: Readonly<Record<string, () => Promise<Stage>>> = {
  async OpenSSH() {
    const { username, password, ...rest } = await startOpenssh();
    return { ...rest, family: 'sftp', info: ({ port }) => ({ ...sftpInfo, server: `127.0.0.1:${port}`, username, password }) };
  },
  Apache: overDav(startApache, '/dav'),
  nginx: overDav(startNginx, ''),
};

/** A user with that link, and downloads of a file of its root: by the user, and by a visitor of its share. */
async function linked(t: TestContext, family: SavedFamily, info: Readonly<Record<string, string>>, more: Partial<LinkDraft> = {}) {
  const { app, signUp, visitor } = await testApp(t);
  const user = await signUp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { userLinkId } = await user.ask(familyCalls[family].add, draftOf(info, { serverName: 'Real', ...more }));
  const get = (path: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}?${new URLSearchParams(query).toString()}`, { headers });
  return {
    user,
    visitor,
    uri: (name: string) => linkUriOf(userLinkId, `/${name}`),
    own: (name: string) => get(download.path, { linkUri: linkUriOf(userLinkId, `/${name}`) }, { cookie }),
    shared: (weblinkId: string) => get(downloadWeblink.path, { weblinkId }),
  };
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

for (const [make, start] of Object.entries(stages))
  test(`downloads from ${make}, by the owner and by a visitor, survive a connection that breaks every five megabytes`, async (t) => {
    const { home, port, family, info, more, stop } = await start();
    t.after(stop);
    const proxy = await startProxy({ target: { port } });
    t.after(() => proxy.stop());
    const bytes = randomBytes(12_000_000);
    await writeFile(join(home, 'big.bin'), bytes, { mode: 0o644 });
    const { user, own, shared, uri } = await linked(t, family, info(proxy), more);
    const { sharelinkurl } = await user.ask(createWeblink, { linkUri: uri('big.bin') });
    proxy.cutAfter(5_000_000);
    const before = proxy.connectionsEver();
    assert.ok((await bytesOf(await own('big.bin'))).equals(bytes));
    assert.ok((await bytesOf(await shared(sharelinkurl.split('/').at(-1) ?? ''))).equals(bytes));
    assert.ok(proxy.connectionsEver() >= before + 4, 'the line broke');
  });

const whole = 'the whole file, as long as PROPFIND says';
const response207 = (href: string, props: string) =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${props}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`;

/** Ways in which a server sends something other than the file. */
const lies: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'a body that ends with the connection, halfway': (response) => {
    response.writeHead(200, { connection: 'close', 'transfer-encoding': 'identity' });
    response.end(whole.slice(0, 20));
  },
  'a shorter length, and as many bytes': (response) => void response.writeHead(200, { 'content-length': 20 }).end(whole.slice(0, 20)),
  'a longer length, and as many bytes': (response) => void response.writeHead(200, { 'content-length': 50 }).end(whole.padEnd(50)),
  'fewer bytes in chunks': (response) => {
    response.write(whole.slice(0, 10));
    response.end(whole.slice(10, 20));
  },
  'a login page': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<form>Please sign in</form>'),
  'a login page in chunks': (response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'last-modified': 'Thu, 01 Jan 1970 00:01:40 GMT' });
    response.write('<form>Please');
    response.end(' sign in</form>');
  },
  nothing: (response) => void response.socket?.destroy(),
};

/** A WebDAV server with correct metadata and such an answer to GET. */
async function startLiar(t: TestContext, lie: (response: ServerResponse) => void): Promise<string> {
  const file = response207('/dav/a.txt', `<D:resourcetype/><D:getcontentlength>${whole.length}</D:getcontentlength>`);
  const root = response207('/dav/', '<D:resourcetype><D:collection/></D:resourcetype>');
  const server = createServer((request, response) => {
    if (request.method === 'GET') return lie(response);
    const isFile = request.url?.endsWith('a.txt') === true;
    response.writeHead(request.method === 'PROPFIND' ? 207 : 200, { 'content-type': 'application/xml' });
    response.end(`<D:multistatus xmlns:D="DAV:">${isFile ? file : root + file}</D:multistatus>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/dav`;
}

for (const [title, lie] of Object.entries(lies))
  for (const isListed of [true, false])
    test(`${title} is not accepted as the download of a file ${isListed ? 'whose folder was listed' : 'of which nothing is known'}`, async (t) => {
      const server = await startLiar(t, lie);
      const { user, own, uri } = await linked(t, 'webdav', { ...davInfo, server }, { provider: 'WebDAV' });
      const view = { sort: 'name', order: 'asc', refresh: true, limit: 10 } as const;
      if (isListed) await user.ask(remoteUpdate, { linkUri: uri(''), fresh: true, ...view });
      const response = await own('a.txt');
      if (title.startsWith('a login page')) assert.match(await response.text(), /"errorCode":899\b/);
      else if (response.status === 200) await assert.rejects(bytesOf(response));
      else assert.match(await response.text(), /"errorCode":\d+/);
    });
