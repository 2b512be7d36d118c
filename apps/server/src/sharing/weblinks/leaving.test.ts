import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { normalize } from 'node:path/posix';
import { test } from 'node:test';
import {
  type SavedFamily,
  archiveDirectoryWeblink,
  archiveWeblink,
  createWeblink,
  downloadWeblink,
  familyCalls,
  linkUriOf,
  listWeblink,
  officeTextWeblink,
  openWeblink,
  thumbnailWeblink,
} from '@sheaf/contract';
import { startFileServer, startOpenssh, startProftpd } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, ftpInfo, linkApp, sftpInfo } from '#/testing/links.ts';

const idOf = ({ sharelinkurl }: { sharelinkurl: string }): string => sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;

/** Paths that leave the folder, or lead to one whose name begins with the same text. */
const hostile = [
  '..',
  '../../',
  '/..',
  '/../secret.txt',
  '../secret.txt',
  '../Trip2/secret.txt',
  './../secret.txt',
  '.',
  './a.txt',
  'Deep/../../secret.txt',
  'Deep/..',
  'Deep/./c.txt',
  '%2e%2e/secret.txt',
  '%2e%2e%2fsecret.txt',
  '..%2fsecret.txt',
  '..%5csecret.txt',
  '%252e%252e%252fsecret.txt',
  '..%c0%afsecret.txt',
  '..\u2215secret.txt',
  '\uff0e\uff0e/secret.txt',
  '..\\secret.txt',
  '\\..\\secret.txt',
  'Deep\\..\\..\\secret.txt',
  '..;/secret.txt',
  '...',
  '.../secret.txt',
  '.. /secret.txt',
  '../../',
  '//secret.txt',
  'Deep//c.txt',
  '/secret.txt',
  '//..//secret.txt',
  '2/secret.txt',
  '../Trip2',
  'Trip2/secret.txt',
  '..\0/secret.txt',
  'a.txt\0',
  'a.txt/..',
  'a.txt/../../secret.txt',
  '~/secret.txt',
  'file:///secret.txt',
  'C:\\secret.txt',
  'x/'.repeat(200),
  'x'.repeat(70_000),
];

test('no spelling of a path leads out of a shared folder, in any call', async (t) => {
  const { source, user, visitor } = await linkApp(t);
  const asked: string[] = [];
  source.put('/Trip/a.txt', 'a');
  source.put('/Trip/Deep/c.txt', 'c');
  source.put('/Trip2/secret.txt', 'secret');
  source.put('/secret.txt', 'secret');
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo));
  const weblinkId = idOf(await user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/Trip') }));
  source.setGate((_operation, path) => void asked.push(path));
  const stranger = visitor();
  for (const path of hostile) {
    const answers = [
      await stranger.send(downloadWeblink, { weblinkId, path }),
      await stranger.send(downloadWeblink, { weblinkId, path, inline: true }),
      await stranger.send(listWeblink, { weblinkId, path, ...view }),
      await stranger.send(archiveWeblink, { weblinkId, path: [path] }),
      await stranger.send(thumbnailWeblink, { weblinkId, path }),
      await stranger.send(archiveDirectoryWeblink, { weblinkId, path }),
      await stranger.send(officeTextWeblink, { weblinkId, path }),
    ];
    for (const answer of answers) {
      assert.ok(answer.statusCode >= 400 && answer.statusCode < 500, `${JSON.stringify(path.slice(0, 40))}: ${answer.statusCode}`);
      // An error repeats the name that it was asked for, and nothing else.
      const { message: _message, details, ...rest } = answer.json<{ message: string; details: Readonly<Record<string, string>> }>();
      assert.doesNotMatch(JSON.stringify(rest), /secret|Trip2/);
      assert.ok(path.includes(details['name'] ?? ''), JSON.stringify(details));
    }
  }
  const outside = asked.filter((path) => !`${normalize(path.replaceAll('\\', '/'))}/`.startsWith('/Trip/'));
  assert.deepEqual(outside, [], 'the source is not even asked');
  // The same calls work for items inside.
  assert.equal((await stranger.send(downloadWeblink, { weblinkId, path: '/Deep/c.txt' })).body, 'c');
});

test('an address in the path of the request, however encoded, is decoded exactly once', async (t) => {
  const { source, user, visitor } = await linkApp(t);
  source.put('/Trip/100%25.txt', 'percent');
  source.put('/Trip/%2e%2e', 'dots');
  source.put('/secret.txt', 'secret');
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo));
  const weblinkId = idOf(await user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/Trip') }));
  const get = (query: string) => visitor().inject({ url: `${downloadWeblink.path}?weblinkId=${weblinkId}&path=${query}` });
  assert.equal((await get('100%2525.txt')).body, 'percent');
  assert.equal((await get('%252e%252e')).body, 'dots');
  for (const query of [
    '..%2Fsecret.txt',
    '%2e%2e%2fsecret.txt',
    '%2E%2E/secret.txt',
    '..%5Csecret.txt',
    '%252e%252e%252fsecret.txt',
    '%ff%fe',
  ])
    assert.equal((await get(query)).statusCode, 404, query);
  // No call accepts a NUL in text.
  assert.equal((await get('..%00%2fsecret.txt')).statusCode, 400);
});

test('a shared file has nothing below it', async (t) => {
  const { source, user, visitor } = await linkApp(t);
  source.put('/Trip/a.txt', 'a');
  source.put('/Trip/a.txt2', 'sibling');
  source.put('/Trip/b.txt', 'b');
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo));
  const weblinkId = idOf(await user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/Trip/a.txt') }));
  for (const path of ['b.txt', '../b.txt', '2', 'a.txt', '../a.txt2'])
    assert.equal((await visitor().send(downloadWeblink, { weblinkId, path })).statusCode, 404, path);
  assert.equal((await visitor().refusal(listWeblink, { weblinkId, ...view })).messageCode, 'NOT_A_FOLDER');
});

/** Servers with symbolic links, each with the folder that it serves. */
const servers: Readonly<
  Partial<Record<SavedFamily, () => Promise<{ home: string; info: Record<string, string>; stop(): Promise<void> }>>>
> = {
  async sftp() {
    const { home, host, port, username, password, stop } = await startOpenssh();
    return { home, info: { ...sftpInfo, server: `${host}:${port}`, username, password }, stop };
  },
  async ftp() {
    const { home, host, port, user, password, stop } = await startProftpd();
    return { home, info: { ...ftpInfo, protocol: 'FTP', server: `${host}:${port}`, username: user, password, path: '' }, stop };
  },
  async ofs() {
    const { root, url, user, password, stop } = await startFileServer();
    return { home: root, info: { server: url, username: user, password }, stop };
  },
};

for (const [family, start] of Object.entries(servers) as [SavedFamily, NonNullable<(typeof servers)[SavedFamily]>][]) {
  test(`links at the source do not lead a visitor out of a shared folder on a real ${family} server`, async (t) => {
    const server = await start();
    t.after(() => server.stop());
    const { home } = server;
    await mkdir(join(home, 'Trip/Deep'), { recursive: true });
    await mkdir(join(home, 'Private'));
    await writeFile(join(home, 'Private/secret.txt'), 'planted secret');
    await writeFile(join(home, 'Trip/a.txt'), 'a');
    await writeFile(join(home, 'Trip/Deep/c.txt'), 'c');
    await symlink('../Private', join(home, 'Trip/out'));
    await symlink('../Private/secret.txt', join(home, 'Trip/out.txt'));
    await symlink('../../Private/secret.txt', join(home, 'Trip/Deep/out.txt'));
    await symlink('/etc', join(home, 'Trip/etc'));
    await symlink('..', join(home, 'Trip/up'));
    await symlink('Trip', join(home, 'Alias'));
    const { signUp, visitor } = await testApp(t);
    const user = await signUp();
    const { userLinkId } = await user.ask(familyCalls[family].add, draftOf(server.info));
    const share = async (path: string) => idOf(await user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, path) }));
    const weblinkId = await share('/Trip');
    const stranger = visitor();
    await stranger.ask(openWeblink, { weblinkId });
    const files = ['out.txt', 'out/secret.txt', 'Deep/out.txt', 'etc/passwd', 'etc/hostname', 'up/Private/secret.txt', 'up/Trip/a.txt'];
    for (const path of files) {
      const answer = await stranger.send(downloadWeblink, { weblinkId, path });
      assert.deepEqual([answer.statusCode, answer.json<{ messageCode: string }>().messageCode], [404, 'ITEM_NOT_FOUND'], path);
    }
    for (const path of ['out', 'etc', 'up', 'up/Private']) {
      assert.equal((await stranger.refusal(listWeblink, { weblinkId, path, ...view })).status, 404, path);
      assert.equal((await stranger.refusal(archiveWeblink, { weblinkId, path: [path] })).status, 404, path);
    }
    const zip = await stranger.send(archiveWeblink, { weblinkId });
    assert.equal(zip.statusCode, 200);
    assert.ok(zip.rawPayload.includes('Trip/Deep/c.txt'));
    for (const planted of ['planted secret', 'out.txt', 'Trip/etc', 'root:']) assert.ok(!zip.rawPayload.includes(planted), planted);
    assert.equal((await stranger.send(downloadWeblink, { weblinkId, path: 'Deep/c.txt' })).body, 'c');

    // The shared item may itself be a symbolic link.
    const alias = await share('/Alias');
    assert.equal((await stranger.send(downloadWeblink, { weblinkId: alias, path: 'a.txt' })).body, 'a');
  });
}

test('files stored by visitors cannot run as Sheaf: active formats are downloaded, all others are sandboxed and never sniffed', async (t) => {
  const { source, user, visitor } = await linkApp(t);
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const active = ['x.html', 'x.htm', 'x.xhtml', 'x.svg', 'x.xml', 'x.mht', 'x.pdf', 'x.js', 'x.swf', 'x', 'x.png.html'];
  for (const name of [...active, 'photo.png', 'note.txt', 'clip.mp4']) source.put(`/Trip/${name}`, script);
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo));
  const weblinkId = idOf(await user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/Trip') }));
  const get = async (path: string) => (await visitor().send(downloadWeblink, { weblinkId, path, inline: true })).headers;
  for (const path of [...active, 'photo.png', 'note.txt', 'clip.mp4']) {
    const headers = await get(path);
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
    assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'/, path);
    const isShown = String(headers['content-disposition']).startsWith('inline');
    if (isShown) assert.match(String(headers['content-type']), /^(?:image\/png|video\/mp4|text\/plain; charset=utf-8)$/, path);
    else assert.match(String(headers['content-disposition']), /^attachment/, path);
    if (/html?$|svg$|xml$|pdf$/.test(path)) assert.equal(isShown, false, path);
  }
});
