import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { type TestContext, after, before, describe, test } from 'node:test';
import {
  type ErrorAnswer,
  type FirstPage,
  addFolder,
  archive,
  createSpace,
  deleteObject,
  download,
  familyCalls,
  getMetadata,
  linkUriOf,
  remoteUpdate,
  renameObject,
  upload,
} from '@sheaf/contract';
import { type FileServer, type OpensshServer, startFileServer, startOpenssh } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { join } from '#/testing/spaces.ts';

let openssh: OpensshServer;
let files: FileServer;
before(async () => {
  [openssh, files] = await Promise.all([startOpenssh(), startFileServer()]);
});
after(() => Promise.all([openssh.stop(), files.stop()]));

const sources = [
  {
    name: 'an SFTP server',
    root: () => openssh.home,
    add: () => ({ ...sftpInfo, server: `${openssh.host}:${openssh.port}`, username: openssh.username, password: openssh.password }),
    family: familyCalls.sftp,
  },
  {
    name: 'a Sheaf file server',
    root: () => files.root,
    add: () => ({ server: files.url, username: files.user, password: files.password }),
    family: familyCalls.ofs,
  },
];

for (const { name, root, add, family } of sources) {
  describe(`a space on ${name}`, () => {
    /** A Space on the folder "team", with secrets outside it and symbolic links to them inside; and a member who may change things. */
    async function setting(t: TestContext) {
      const app = await testApp(t, { settings: { SHEAF_BILLING: 'off' } });
      const user = await app.signUp();
      const member = await app.signUp();
      const at = (path: string): string => joinPath(root(), path);
      await rm(at('team'), { recursive: true, force: true });
      for (const folder of ['team', 'team/sub', 'team2', 'vault']) {
        await mkdir(at(folder), { recursive: true });
        // The server may run as another user.
        await chmod(at(folder), 0o777);
      }
      for (const file of ['team/plan.txt', 'team/sub/deep.txt']) await writeFile(at(file), 'plan');
      for (const file of ['vault/secret.txt', 'team2/other.txt', 'outside.txt']) await writeFile(at(file), 'secret');
      await symlink('../vault', at('team/vault'));
      await symlink('../outside.txt', at('team/outside.txt'));
      await symlink('..', at('team/sub/up'));
      await symlink(at('vault'), at('team/sub/absolute'));
      const { userLinkId } = await user.ask(family.add, draftOf(add(), { linkName: 'NAS', serverName: 'NAS' }));
      const storageLinkUri = linkUriOf(userLinkId, '/team');
      const { space } = await user.ask(createSpace, { storageLinkUri, spaceName: 'Team' });
      const { userLinkId: linkId } = await join({ ...app, user }, space, member, 'editor');
      const uri = (path: string): string => linkUriOf(linkId, path);
      return {
        member,
        at,
        uri,
        names: async (path: string) => {
          const answer = await member.send(remoteUpdate, { linkUri: uri(path), fresh: true });
          assert.equal(answer.statusCode, 200, answer.body);
          return answer.json<{ data: FirstPage }>().data.items.map((item) => item.name);
        },
        put: async (folder: string, file: string, conflict: string) => {
          const query = new URLSearchParams({ parentLinkUri: uri(folder), name: file, conflict });
          const headers = { 'x-rtag': member.cookies.get('sh') ?? '' };
          return member.inject({ method: 'PUT', url: `${upload.path}?${query.toString()}`, headers, payload: 'planted' });
        },
      };
    }

    test('symbolic links that lead out of the folder are neither shown nor followed, in any call [SPC-31]', async (t) => {
      const { member, at, uri, names, put } = await setting(t);
      assert.deepEqual(await names('/'), ['sub', 'plan.txt']);
      assert.deepEqual(await names('/sub'), ['deep.txt']);
      const ways = ['/vault', '/vault/secret.txt', '/outside.txt', '/sub/up', '/sub/up/plan.txt', '/sub/up/up', '/sub/absolute/secret.txt'];
      for (const way of ways) {
        const answers = [
          await member.send(getMetadata, { linkUri: uri(way) }),
          await member.send(download, { linkUri: uri(way) }),
          await member.send(remoteUpdate, { linkUri: uri(way) }),
          await member.send(deleteObject, { linkUri: uri(way) }),
          await member.send(renameObject, { linkUri: uri(way), newName: 'mine' }),
          await member.send(addFolder, { parentLinkUri: uri(way), folderName: 'New', conflict: 'fail' }),
          await put(way, 'new.txt', 'fail'),
        ];
        for (const { statusCode, body } of answers) {
          assert.equal((JSON.parse(body) as ErrorAnswer).errorCode, 701, `${way}: ${statusCode} ${body}`);
          assert.ok(!body.includes('secret"') && !body.includes(root()), body);
        }
        const packed = await member.send(archive, { linkUri: [uri(way)] });
        assert.ok(!packed.body.includes('secret.txtsecret'), way);
      }
      const whole = await member.send(archive, { linkUri: [uri('/')] });
      assert.deepEqual([whole.body.includes('plan.txt'), whole.body.includes('secret')], [true, false]);
      assert.deepEqual(await readdir(at('vault')), ['secret.txt']);
      assert.equal(await readFile(at('outside.txt'), 'utf8'), 'secret');
    });

    test('a file is not written through a link that has taken its place, and a folder that becomes a link counts as one [SPC-31]', async (t) => {
      const { member, at, uri, put } = await setting(t);
      await put('/', 'outside.txt', 'replace');
      assert.equal(await readFile(at('outside.txt'), 'utf8'), 'secret');
      assert.equal((await member.send(getMetadata, { linkUri: uri('/sub/deep.txt') })).statusCode, 200);
      await rename(at('team/sub'), at('team/former'));
      await symlink('../vault', at('team/sub'));
      await writeFile(at('vault/deep.txt'), 'secret');
      t.after(() => rm(at('vault/deep.txt')));
      assert.equal((await member.refusal(getMetadata, { linkUri: uri('/sub/deep.txt') })).errorCode, 701);
      assert.equal((await member.refusal(download, { linkUri: uri('/sub/deep.txt') })).errorCode, 701);
    });

    test('members change the folder, and nothing outside it [SPC-31]', async (t) => {
      const { member, at, uri, put } = await setting(t);
      const made = await put('/', 'new.txt', 'fail');
      assert.equal(made.statusCode, 200, made.body);
      await member.ask(addFolder, { parentLinkUri: uri('/sub'), folderName: 'Ours', conflict: 'fail' });
      await member.ask(renameObject, { linkUri: uri('/plan.txt'), newName: 'plans.txt' });
      await member.ask(deleteObject, { linkUri: uri('/sub/deep.txt') });
      assert.equal(await readFile(at('team/new.txt'), 'utf8'), 'planted');
      assert.deepEqual((await readdir(at('team'))).toSorted(), ['new.txt', 'outside.txt', 'plans.txt', 'sub', 'vault']);
      assert.deepEqual((await readdir(at('team/sub'))).toSorted(), ['Ours', 'absolute', 'up']);
      assert.deepEqual(await readdir(at('team2')), ['other.txt']);
      // Deleting a folder deletes the symbolic links in it, not their targets.
      await member.ask(deleteObject, { linkUri: uri('/sub') });
      assert.deepEqual(await readdir(at('vault')), ['secret.txt']);
    });
  });
}
