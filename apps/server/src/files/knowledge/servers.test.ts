import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type Env, findDefinition } from '@sheaf/connectors';
import { createMemorySource } from '@sheaf/connectors/memory';
import { emailSignup, familyCalls, findSource, keepSearchable, linkUriOf, remoteUpdate, search } from '@sheaf/contract';
import { eventually, startOpenssh, startSwift, tempDir } from '@sheaf/testbed';
import { followFolders } from '#/files/live/testing/follow-folders.ts';
import { type User, testApp } from '#/testing/app.ts';
import { testDatabase } from '#/testing/database.ts';
import { addSftp, draftOf, s3Info, sftpInfo } from '#/testing/links.ts';
import { startServer } from '#/testing/server-process.ts';
import { startDropboxCloud } from '#/testing/storages/clouds.ts';

const settings = { SHEAF_CRAWL: 'on' };
const wish = { isKept: true, forget: false } as const;
const within = () => AbortSignal.timeout(60_000);
const rows = { sort: 'name', order: 'asc', early: false, fresh: true, refresh: true, limit: 50 } as const;
const found = async (user: User, query: string): Promise<string[]> =>
  (await user.ask(search, { query, offset: 0, limit: 50 })).items.map(({ name }) => name);

test('a server killed with -9 while it reads an SFTP server continues where it was, and a deleted file is not found once its folder was read', async (t) => {
  const openssh = await startOpenssh();
  t.after(() => openssh.stop());
  const folder = await tempDir('crawl');
  t.after(() => folder.remove());
  const folders = ['one', 'two', 'three', 'four', 'five'];
  for (const name of folders) {
    await mkdir(join(openssh.home, name, 'deep'), { recursive: true });
    await writeFile(join(openssh.home, name, 'deep', `report ${name}.txt`), 'x');
  }
  const environment = { ...settings, SHEAF_DATA_DIR: folder.path, SHEAF_DATABASE_URL: await testDatabase(), SHEAF_LOG_LEVEL: 'debug' };
  const first = await startServer(t, environment);
  await first.ask(emailSignup, { name: 'Mara', email: 'mara@example.org', password: 'correct horse battery' });
  const { host, port, username, password } = openssh;
  const info = { ...sftpInfo, server: `${host}:${port}`, username, password };
  const { userLinkId } = await first.ask(familyCalls.sftp.add, draftOf(info, { linkName: 'NAS' }));
  const known = async (server: typeof first): Promise<number> =>
    (await server.ask(search, { query: 'report', offset: 0, limit: 50 })).links[0]?.foldersKnown ?? 0;
  await first.ask(keepSearchable, { userLinkId, ...wish });
  await eventually(async () => (await known(first)) >= 4, 'some folders are known');
  await first.kill();

  const second = await startServer(t, environment, first.cookies);
  assert.ok((await known(second)) >= 4, 'what was read is kept');
  await eventually(async () => (await known(second)) === 11, 'the rest is read');
  const names = async () => (await second.ask(search, { query: 'report', offset: 0, limit: 50 })).items.map(({ name }) => name);
  assert.equal((await names()).length, folders.length);
  await rm(join(openssh.home, 'two', 'deep', 'report two.txt'));
  await rm(join(openssh.home, 'three'), { recursive: true });
  await second.ask(remoteUpdate, { linkUri: linkUriOf(userLinkId, '/two/deep'), ...rows });
  await second.ask(remoteUpdate, { linkUri: linkUriOf(userLinkId, '/'), ...rows });
  await eventually(async () => (await names()).length === 3, 'both are no longer found');
});

test('a bucket of an S3 server is read with one listing of all of it', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.stop());
  await swift.createBucket('photos');
  const { signUp, services, log } = await testApp(t, { settings });
  const user = await signUp();
  const info = { ...s3Info, host: swift.endpoint, key: swift.key, secret: swift.secret };
  const { userLinkId } = await user.ask(familyCalls.s3.add, draftOf(info, { provider: 'S3Compat', linkName: 'B' }));
  const { connector } = await services.connections.open(user.userId, userLinkId);
  for (const path of ['/2025', '/2025/May', '/2025/May-b', '/2026']) await connector.createFolder?.(path, { signal: within() });
  for (const path of ['/2025/May/beach.jpg', '/2025/May-b/beach two.jpg', '/2026/snow.jpg', '/top.jpg'])
    await connector.write?.(path, Readable.from([Buffer.from('x')]), { signal: within(), ifExists: 'fail' });
  const before = log().length;
  await user.ask(keepSearchable, { userLinkId, ...wish });
  // A folder counts as known once all of it is stored, so after its files are found.
  await eventually(async () => {
    const { items, links } = await user.ask(search, { query: 'jpg', offset: 0, limit: 50 });
    return items.length === 4 && links[0]?.foldersKnown === 5 && links[0].foldersTotal === 5;
  }, 'all is found');
  const asked = [
    ...log()
      .slice(before)
      .matchAll(/"operation":"(\w+)"/g),
  ].map(([, operation]) => operation);
  assert.deepEqual(asked, ['listTree']);
});

test('what others change at a simulated cloud shows in open windows and in the search within a minute, by the reported changes', async (t) => {
  const cloud = await startDropboxCloud(t);
  const definition = (await findDefinition(findSource(cloud.provider) ?? assert.fail())) ?? assert.fail(cloud.provider);
  const config = definition.parse(cloud.info, cloud.provider);
  const open = (env: Env) =>
    definition.open(config, { ...env, ...(cloud.app && { app: cloud.app }), tokens: { access: async () => cloud.accessToken } });
  let outside: Awaited<ReturnType<typeof open>> | undefined;
  const app = await testApp(t, {
    settings,
    findDefinition: async () => ({
      ...createMemorySource().definition,
      async open(_info: unknown, env: Env) {
        outside ??= await open(env);
        return open(env);
      },
    }),
  });
  t.after(() => outside?.close());
  const user = await app.signUp();
  const { userLinkId } = await addSftp(user, 'Cloud', { server: 'cloud.example' });
  const root = linkUriOf(userLinkId, '/');
  await user.ask(keepSearchable, { userLinkId, ...wish });
  await eventually(async () => (await app.services.keeping.get(user.userId, userLinkId)).state === 'known', 'all is known');
  const window = await followFolders(t, app, user, userLinkId);
  await user.ask(remoteUpdate, { linkUri: root, ...rows });
  window.heard.splice(0);
  const begunAt = Date.now();
  await outside?.write?.('/made elsewhere.txt', Readable.from([Buffer.from('x')]), { signal: within(), ifExists: 'fail' });
  await eventually(() => window.heard.includes(root), 'the window hears of it');
  assert.ok(Date.now() - begunAt < 60_000);
  assert.deepEqual(await found(user, 'elsewhere'), ['made elsewhere.txt']);
});
