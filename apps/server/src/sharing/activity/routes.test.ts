import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createWeblink,
  deleteObject,
  familyCalls,
  itemActivity,
  linkUriOf,
  listSpaceMembers,
  removeSpaceMember,
  renameObject,
  sharedIn,
  undoChange,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { draftOf, linkApp, sftpInfo } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const sentences = async (user: User, linkUri: string, limit = 30): Promise<[string | undefined, string][]> =>
  (await user.ask(itemActivity, { linkUri, limit })).events.map(({ actorName, sentence }) => [actorName, sentence]);

test('the activity of an item lists changes of it and below it, and how it was shared; others learn nothing', async (t) => {
  let time = 1_800_000_000;
  const { user, source, signUp } = await linkApp(t, { now: () => (time += 10) });
  for (const file of ['/album/a.txt', '/album/b.txt', '/album2/c.txt']) source.put(file, 'bytes');
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'NAS' }));
  const uri = (path: string): string => linkUriOf(userLinkId, path);
  await user.ask(renameObject, { linkUri: uri('/album/a.txt'), newName: 'first.txt' });
  await user.ask(createWeblink, { linkUri: uri('/album/first.txt') });
  await user.ask(createWeblink, { linkUri: uri('/album') });
  const { undoId = '' } = await user.ask(deleteObject, { linkUri: uri('/album/b.txt') });
  await user.ask(undoChange, { undoId });
  await user.ask(deleteObject, { linkUri: uri('/album2/c.txt') });

  const name = 'Mara';
  assert.deepEqual(await sentences(user, uri('/album')), [
    [name, 'deleted b.txt, and undid it'],
    [name, 'shared album by a public link'],
    [name, 'renamed a.txt to first.txt'],
  ]);
  for (const path of ['/album/first.txt', '/album/a.txt'])
    assert.equal((await sentences(user, uri(path))).at(-1)?.[1], 'renamed a.txt to first.txt', path);
  const all = await sentences(user, uri('/'));
  assert.deepEqual([all.length, all[0]?.[1], all.at(-1)?.[1]], [4, 'deleted c.txt', 'linked NAS']);
  assert.deepEqual(
    await user.ask(itemActivity, { linkUri: uri('/album'), limit: 1 }).then(({ events, hasMore }) => [events.length, hasMore]),
    [1, true],
  );

  const eve = await signUp();
  assert.equal((await eve.refusal(itemActivity, { linkUri: uri('/album'), limit: 30 })).messageCode, 'INVALID_LINK_URI');
  assert.deepEqual(await eve.ask(sharedIn, { linkUri: uri('/') }), { items: [] });
});

test('one answer names the items of a folder that others can see, without shares that have ended', async (t) => {
  let time = 1_800_000_000;
  const app = await spaceApp(t, { now: () => time });
  const { user, storageId } = app;
  const uri = (path: string): string => linkUriOf(storageId, path);
  for (const path of ['/projects/team', '/projects/team', '/projects/team2/other.txt', '/projects'])
    await user.ask(createWeblink, { linkUri: uri(path) });
  await user.ask(createWeblink, { linkUri: uri('/projects/secret.txt'), expirationSeconds: 86_400 });
  const shared = async (path: string) => (await user.ask(sharedIn, { linkUri: uri(path) })).items;
  assert.deepEqual(
    (await shared('/projects')).toSorted((a, b) => a.linkUri.localeCompare(b.linkUri)),
    [
      { linkUri: uri('/projects/secret.txt'), by: ['link'] },
      { linkUri: uri('/projects/team'), by: ['link', 'space'] },
    ],
  );
  assert.deepEqual(await shared('/'), [{ linkUri: uri('/projects'), by: ['link'] }]);
  time += 86_401;
  assert.deepEqual(
    (await shared('/projects')).map(({ linkUri }) => linkUri),
    [uri('/projects/team')],
  );
});

test('members of a Space see what was done in it without the names of others, and nothing from outside; a removed one sees nothing', async (t) => {
  const app = await spaceApp(t);
  const { user: owner, storageId, space } = app;
  const member = await app.signUp();
  const { linkUri: root } = await join(app, space, member, 'editor');
  await owner.ask(deleteObject, { linkUri: linkUriOf(storageId, '/projects/secret.txt') });
  await owner.ask(deleteObject, { linkUri: linkUriOf(storageId, '/projects/team/sub/deep.txt') });
  await member.ask(renameObject, { linkUri: `${root}/plan.txt`, newName: 'the plan.txt' });
  const own = (await member.ask(itemActivity, { linkUri: root, limit: 30 })).events;
  assert.deepEqual(
    own
      .filter(({ sentence }) => /deleted|renamed/.test(sentence))
      .map(({ actorName, isOwn, sentence }) => [actorName !== undefined, isOwn, sentence]),
    [
      [true, true, 'renamed plan.txt to the plan.txt'],
      [false, false, 'deleted deep.txt'],
    ],
  );
  const seen = await sentences(owner, linkUriOf(storageId, '/projects/team'));
  assert.deepEqual(
    seen.map(([, sentence]) => sentence),
    ['renamed plan.txt to the plan.txt', 'deleted deep.txt'],
  );
  assert.ok(seen.every(([actor]) => actor !== undefined));
  const { members } = await owner.ask(listSpaceMembers, { spaceOid: space.spaceOid });
  const theirs = members.find(({ email }) => email === member.email);
  await owner.ask(removeSpaceMember, { spaceOid: space.spaceOid, memberId: theirs?.memberId ?? '' });
  assert.equal((await member.refusal(itemActivity, { linkUri: root, limit: 30 })).messageCode, 'INVALID_LINK_URI');
});
