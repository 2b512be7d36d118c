import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FolderUsage,
  compareFiles,
  duplicates,
  folderUsage,
  linkUriOf,
  listSpaceMembers,
  remoteUpdate,
  removeSpaceMember,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { addSftp } from '#/testing/links.ts';
import { type SpaceApp, join, spaceApp } from '#/testing/spaces.ts';

/** Lists folders, and waits until they are stored. */
async function look({ services }: SpaceApp, user: User, userLinkId: string, ...paths: string[]): Promise<void> {
  for (const path of paths)
    await user.ask(remoteUpdate, {
      linkUri: linkUriOf(userLinkId, path),
      fresh: true,
      refresh: true,
      sort: 'name',
      order: 'asc',
      limit: 50,
    });
  await services.listings.idle();
}
const told = ({ items }: FolderUsage) =>
  items.map(({ name, bytes, files, parts }) => [name, bytes, files, parts.map((part) => [part.name, part.bytes])]);
const kib = (count: number): string => 'x'.repeat(count * 1024);

test('a folder tells what its folders and files use, as far as they are known, and the largest files below it', async (t) => {
  const app = await spaceApp(t);
  const { user, storageId } = app;
  app.source.put('/projects/team/sub/film.mp4', kib(40));
  app.source.put('/projects/notes.txt', kib(1));
  app.source.put('/100%_a/a/b/deep.bin', kib(9));
  await look(app, user, storageId, '/', '/projects', '/projects/team', '/projects/team/sub', '/100%_a', '/100%_a/a', '/100%_a/a/b');
  const root = await user.ask(folderUsage, { linkUri: linkUriOf(storageId, '/') });
  const small = 'bytes of /projects/secret.txt'.length;
  const [plan, deep] = ['bytes of /projects/team/plan.txt'.length, 'bytes of /projects/team/sub/deep.txt'.length];
  const team = 40 * 1024 + plan + deep;
  assert.deepEqual(told(root), [
    ['projects', team + 1024 + small, 5, [['team', team]]],
    ['100%_a', 9 * 1024, 1, [['a', 9 * 1024]]],
  ]);
  assert.deepEqual([root.bytes, root.files, root.unsized, root.others], [team + 1024 + small + 9 * 1024, 6, 0, { bytes: 0, files: 0 }]);
  assert.deepEqual([root.foldersKnown, root.foldersTotal], [7, 8], 'team2 was not opened');
  assert.deepEqual(
    root.largest.slice(0, 2).map(({ name, folder, linkUri }) => [name, folder, linkUri]),
    [
      ['film.mp4', '/projects/team/sub', linkUriOf(storageId, '/projects/team/sub/film.mp4')],
      ['deep.bin', '/100%_a/a/b', linkUriOf(storageId, '/100%_a/a/b/deep.bin')],
    ],
  );
  const projects = await user.ask(folderUsage, { linkUri: linkUriOf(storageId, '/projects') });
  assert.deepEqual(told(projects), [
    ['team', team, 3, [['sub', 40 * 1024 + deep]]],
    ['notes.txt', 1024, 1, []],
    ['secret.txt', small, 1, []],
  ]);
  const all = await user.ask(folderUsage, {});
  assert.deepEqual(
    all.items.map(({ name, linkUri, bytes, parts }) => [name, linkUri, bytes, parts.map((part) => part.name)]),
    [['NAS', linkUriOf(storageId, '/'), root.bytes, ['projects', '100%_a']]],
    'the Space lies in the link and is not counted again',
  );
  assert.equal(projects.largest[0]?.linkUri, linkUriOf(storageId, '/projects/team/sub/film.mp4'));
});

test('a member sees the usage of the Space only, and others see nothing', async (t) => {
  const app = await spaceApp(t);
  const { user, space, storageId } = app;
  await look(app, user, storageId, '/', '/projects', '/projects/team', '/projects/team/sub', '/projects/team2');
  const noor = await app.signUp();
  const { linkUri } = await join(app, space, noor, 'viewer');
  const seen = await noor.ask(folderUsage, { linkUri });
  assert.deepEqual(
    seen.items.map(({ name }) => name),
    ['sub', 'plan.txt'],
  );
  assert.deepEqual(
    seen.largest.map(({ linkUri: at }) => at),
    [`${linkUri}/sub/deep.txt`, `${linkUri}/plan.txt`],
  );
  await noor.refusal(folderUsage, { linkUri: linkUriOf(storageId, '/') });
  const { spaceOid } = space;
  const member = (await user.ask(listSpaceMembers, { spaceOid })).members.find(({ email }) => email === noor.email);
  await user.ask(removeSpaceMember, { spaceOid, memberId: member?.memberId ?? '' });
  await noor.refusal(folderUsage, { linkUri });
  await user.refusal(folderUsage, { linkUri: '/no such address' });
});

test('files of one size are found in all links, each once, and a comparison tells which are the same', async (t) => {
  let tellsHashes = false;
  const app = await spaceApp(t, {
    changed: (connector) => ({
      ...connector,
      async stat(...asked) {
        const { hashes, ...entry } = await connector.stat(...asked);
        return tellsHashes && hashes ? { ...entry, hashes } : entry;
      },
    }),
  });
  const { user, storageId } = app;
  const { userLinkId: second } = await addSftp(user, 'Second');
  app.source.put('/projects/team/a.bin', kib(3));
  app.source.put('/projects/b.bin', kib(3));
  app.source.put('/projects/other.bin', 'y'.repeat(3 * 1024));
  app.source.put('/projects/single.bin', kib(5));
  await look(app, user, storageId, '/projects', '/projects/team');
  const asked = { minBytes: 1024, offset: 0, limit: 25 };
  const { groups, hasMore, cut } = await user.ask(duplicates, asked);
  assert.deepEqual([hasMore, cut], [false, []]);
  const files = groups.flatMap(({ items }) => items.map(({ userLinkId, folder, name }) => `${userLinkId}${folder}/${name}`));
  assert.deepEqual(
    files.toSorted(),
    ['/projects/b.bin', '/projects/other.bin', '/projects/team/a.bin'].map((path) => `${storageId}${path}`),
    'the Space shows files of the same storage, which are listed once',
  );
  assert.deepEqual((await user.ask(duplicates, { ...asked, userLinkId: second })).groups, []);

  const linkUri = ['/projects/team/a.bin', '/projects/b.bin', '/projects/other.bin'].map((path) => linkUriOf(storageId, path));
  const refused = await user.refusal(compareFiles, { linkUri, read: false });
  assert.equal(refused.messageCode, 'NO_COMMON_HASH');
  for (const by of ['reading', 'hashes']) {
    tellsHashes = by === 'hashes';
    const told = await user.ask(compareFiles, { linkUri, read: !tellsHashes });
    assert.equal(told.by, by);
    assert.deepEqual(
      told.same.map((group) => group.toSorted()).toSorted((a, b) => b.length - a.length),
      [linkUri.slice(0, 2).toSorted(), linkUri.slice(2)],
    );
  }
  const noor = await app.signUp();
  await noor.refusal(compareFiles, { linkUri, read: true });
});
