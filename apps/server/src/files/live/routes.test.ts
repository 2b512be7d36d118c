import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addFolder,
  copyObjects,
  deleteObject,
  folderEvents,
  linkUriOf,
  listSpaceMembers,
  logout,
  remoteUpdate,
  removeSpaceMember,
  renameObject,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { testDatabase } from '#/testing/database.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';
import { followFolders } from './testing/follow-folders.ts';

const firstRows = { sort: 'name', order: 'asc', early: false, fresh: false, refresh: false, limit: 50 } as const;

test('a change made anywhere in Sheaf reaches the windows of the owner and of the members of a Space, by their own addresses', async (t) => {
  const app = await spaceApp(t);
  const { user, space, storageId, source } = app;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await join(app, space, noor, 'editor');
  const [ownRoot, herRoot] = [linkUriOf(storageId, '/projects/team'), linkUriOf(userLinkId, '/')];
  const namesOf = async (who: typeof noor, linkUri: string) =>
    (await who.ask(remoteUpdate, { ...firstRows, linkUri })).items.map(({ name }) => name);
  await namesOf(user, ownRoot);
  await namesOf(noor, herRoot);
  const own = await followFolders(t, app, user, storageId);
  const hers = await followFolders(t, app, noor, userLinkId);
  const clear = () => void (own.heard.splice(0), hers.heard.splice(0));
  const both = (...change: [string, string]) =>
    eventually(async () => own.heard.includes(change[0]) && hers.heard.includes(change[1]), 'both windows hear it');
  clear();
  // From here on only stored listings are read: what is shown was told by Sheaf.
  let asked = 0;
  source.setGate((operation) => void (operation === 'list' && asked++));

  await user.ask(addFolder, { parentLinkUri: ownRoot, folderName: 'made', conflict: 'fail' });
  await both(ownRoot, herRoot);
  assert.deepEqual(await namesOf(noor, herRoot), ['made', 'sub', 'plan.txt']);
  clear();
  await noor.ask(renameObject, { linkUri: linkUriOf(userLinkId, '/made'), newName: 'renamed' });
  await both(`gone ${ownRoot}/made`, `gone ${herRoot}/made`);
  assert.deepEqual(await namesOf(user, ownRoot), ['renamed', 'sub', 'plan.txt']);
  clear();
  await noor.ask(deleteObject, { linkUri: linkUriOf(userLinkId, '/renamed') });
  await both(`gone ${ownRoot}/renamed`, `gone ${herRoot}/renamed`);
  clear();
  await user.ask(copyObjects, { linkUri: [linkUriOf(storageId, '/projects/secret.txt')], parentLinkUri: ownRoot, conflict: 'fail' });
  await both(ownRoot, herRoot);
  await eventually(async () => (await namesOf(noor, herRoot)).includes('secret.txt'), 'the copied file is listed');
  assert.equal(asked, 0);

  // What the source has changed by itself is told once a listing has found it.
  source.put('/projects/team/elsewhere.txt', 'x');
  clear();
  await user.ask(remoteUpdate, { ...firstRows, linkUri: ownRoot, fresh: true });
  await eventually(async () => own.heard.includes(ownRoot), 'the owner hears of it');
});

test('a removed member’s stream stops receiving at once, and a signed-out user’s stream ends', async (t) => {
  const app = await spaceApp(t);
  const { user, space, storageId } = app;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await join(app, space, noor, 'editor');
  const own = await followFolders(t, app, user, storageId);
  const hers = await followFolders(t, app, noor, userLinkId);
  const { members } = await user.ask(listSpaceMembers, { spaceOid: space.spaceOid });
  const memberId = members.find(({ email }) => email === noor.email)?.memberId ?? '';
  own.heard.splice(0);
  hers.heard.splice(0);
  await user.ask(removeSpaceMember, { spaceOid: space.spaceOid, memberId });
  const ownRoot = linkUriOf(storageId, '/projects/team');
  await user.ask(addFolder, { parentLinkUri: ownRoot, folderName: 'secret plan', conflict: 'fail' });
  await eventually(async () => own.heard.includes(ownRoot), 'the owner hears of it');
  await sleep(100);
  assert.ok(!hers.heard.includes(linkUriOf(userLinkId, '/')), hers.heard.join());

  await user.ask(logout, {});
  await app.services.content.addFolder(
    user.userId,
    { parentLinkUri: ownRoot, folderName: 'later', conflict: 'fail' },
    AbortSignal.timeout(60_000),
  );
  await own.ended;
});

test('a stream tells nothing about links of others, and an account has a limited number of them', async (t) => {
  const app = await linkApp(t);
  const { user } = app;
  const { userLinkId } = await addSftp(user, 'NAS');
  const other = await app.signUp('other@example.org');
  const spy = await followFolders(t, app, other, userLinkId);
  const own = await followFolders(t, app, user, userLinkId);
  await user.ask(addFolder, { parentLinkUri: linkUriOf(userLinkId, '/'), folderName: 'made', conflict: 'fail' });
  await eventually(async () => own.heard.length > 0, 'the owner hears of it');
  assert.deepEqual(
    spy.heard.filter((uri) => !uri.startsWith('gone')),
    [],
  );

  for (let more = 1; more < 20; more++) await followFolders(t, app, user, userLinkId);
  assert.equal((await user.refusal(folderEvents, { userLinkId: [userLinkId] })).errorCode, 820);
  const crossSite = await other.inject({
    url: `${folderEvents.path}?userLinkId=${userLinkId}`,
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(crossSite.statusCode, 401);
  assert.equal((await app.visitor().refusal(folderEvents, { userLinkId: [userLinkId] })).errorCode, 104);
});

test('on Postgres, a change made on another instance reaches a stream, unless the right ended there before', async (t) => {
  const app = await spaceApp(t, { settings: { SHEAF_DATABASE_URL: await testDatabase({ on: 'postgres' }) } });
  const { user, space, storageId, source } = app;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await join(app, space, noor, 'editor');
  const second = await app.secondInstance({ findDefinition: async () => source.definition });
  const hers = await followFolders(t, app, noor, userLinkId);
  const own = await followFolders(t, app, user, storageId);
  const signal = AbortSignal.timeout(60_000);
  const ownRoot = linkUriOf(storageId, '/projects/team');
  const make = (folderName: string) =>
    second.content.addFolder(user.userId, { parentLinkUri: ownRoot, folderName, conflict: 'fail' }, signal);
  hers.heard.splice(0);
  await make('one');
  await eventually(async () => hers.heard.includes(linkUriOf(userLinkId, '/')), 'the member hears of it');

  const { members } = await user.ask(listSpaceMembers, { spaceOid: space.spaceOid });
  const memberId = members.find(({ email }) => email === noor.email)?.memberId ?? '';
  await second.spaces.members.remove(user.userId, space.spaceOid, memberId);
  own.heard.splice(0);
  hers.heard.splice(0);
  await make('two');
  await eventually(async () => own.heard.includes(ownRoot), 'the owner hears of it');
  await sleep(200);
  assert.ok(!hers.heard.includes(linkUriOf(userLinkId, '/')), hers.heard.join());
});
