import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, describe, test } from 'node:test';
import {
  archiveWeblink,
  createWeblink,
  download,
  downloadWeblink,
  familyCalls,
  limits,
  linkUriOf,
  listWeblink,
  remoteUpdate,
} from '@sheaf/contract';
import { startProftpd } from '@sheaf/testbed';
import { type User, testApp } from '#/testing/app.ts';
import { draftOf, ftpInfo } from '#/testing/links.ts';

const bytes = randomBytes(48 * 1024 * 1024);
const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;
/** Reads from the source, not from stored rows. */
const fresh = { fresh: true, refresh: false, limit: 25, sort: 'name', order: 'asc' } as const;

/** A shared folder on an FTP server with a limit of connections. */
async function shared(t: TestContext, connections: string) {
  const clients: Socket[] = [];
  // Runs before the app closes, which waits for its clients.
  t.after(() => clients.forEach((client) => client.destroy()));
  const server = await startProftpd();
  const { host, port, user, password, home } = server;
  await writeFile(join(home, 'film.bin'), bytes);
  await writeFile(join(home, 'note.txt'), 'note');
  t.after(() => server.stop());
  const app = await testApp(t);
  const owner = await app.signUp();
  const info = { ...ftpInfo, protocol: 'FTP', server: `${host}:${port}`, username: user, password, numConcurrentConnections: connections };
  const { userLinkId } = await owner.ask(familyCalls.ftp.add, draftOf(info));
  const { sharelinkurl } = await owner.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/') });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    owner,
    visitor: app.visitor(),
    userLinkId,
    weblinkId: sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1),
    port: (app.app.server.address() as AddressInfo).port,
    /** Sends a request and reads nothing of the answer. */
    ask(path: string, cookie = ''): Socket {
      const client = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1');
      clients.push(client);
      const head = ['GET ' + path + ' HTTP/1.1', 'host: 127.0.0.1', ...(cookie === '' ? [] : [`cookie: ${cookie}`]), '', ''];
      client.write(head.join('\r\n'));
      return client;
    },
  };
}

/** Waits for the beginning of an answer and reads no further. */
async function begun(client: Socket): Promise<void> {
  await once(client, 'readable');
  assert.match(String(client.read(12)), /^HTTP\/1\.1 200/);
}

const cookieOf = ({ cookies }: User): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const filmOf = (userLinkId: string) =>
  `${download.path}?${new URLSearchParams({ linkUri: linkUriOf(userLinkId, '/film.bin') }).toString()}`;

describe('a visitor who stops reading a download', () => {
  for (const connections of ['1', '2', '4'])
    test(`keeps neither the owner nor other visitors from a link of ${connections} connections`, async (t) => {
      const { owner, visitor, userLinkId, weblinkId, ask } = await shared(t, connections);
      const film = `${downloadWeblink.path}?${new URLSearchParams({ weblinkId, path: 'film.bin' }).toString()}`;
      await begun(ask(film));
      if (connections === '4') await begun(ask(film));
      const linkUri = linkUriOf(userLinkId, '/');
      const page = await owner.ask(remoteUpdate, { linkUri, ...fresh });
      assert.ok(JSON.stringify(page).includes('note.txt'));
      const note = await owner.send(download, { linkUri: linkUriOf(userLinkId, '/note.txt') });
      assert.equal(note.body, 'note');
      assert.equal((await visitor.ask(listWeblink, { weblinkId, ...view })).items.length, 2);
    });

  test('does not keep the owner from browsing a link of two connections with two downloads of their own', async (t) => {
    const { owner, userLinkId, ask } = await shared(t, '2');
    await begun(ask(filmOf(userLinkId), cookieOf(owner)));
    ask(filmOf(userLinkId), cookieOf(owner));
    assert.ok(JSON.stringify(await owner.ask(remoteUpdate, { linkUri: linkUriOf(userLinkId, '/'), ...fresh })).includes('note.txt'));
  });

  test('receives the whole file, although others have browsed on the only connection meanwhile', async (t) => {
    const { owner, userLinkId, port } = await shared(t, '1');
    const response = await fetch(`http://127.0.0.1:${port}${filmOf(userLinkId)}`, { headers: { cookie: cookieOf(owner) } });
    assert.equal(response.status, 200);
    assert.ok(JSON.stringify(await owner.ask(remoteUpdate, { linkUri: linkUriOf(userLinkId, '/'), ...fresh })).includes('note.txt'));
    assert.ok(bytes.equals(Buffer.from(await response.arrayBuffer())));
  });
});

test('an archive of more items than allowed is refused before the source is asked', async (t) => {
  const { visitor, weblinkId } = await shared(t, '2');
  const path = Array.from({ length: limits.archiveItems + 1 }, () => 'a');
  const { statusCode, body } = await visitor.send(archiveWeblink, { weblinkId, path });
  assert.equal(statusCode, 400);
  assert.match(body, /TOO_MANY_ITEMS/);
});
