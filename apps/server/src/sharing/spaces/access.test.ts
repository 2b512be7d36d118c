import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FirstPage,
  addFolder,
  archiveWeblink,
  completeHandoff,
  createSpace,
  createWeblink,
  downloadWeblink,
  familyCalls,
  getMetadata,
  handoffStatus,
  leaveOrg,
  linkUriOf,
  listSpaces,
  listWeblink,
  openWeblink,
  remoteUpdate,
  removeSpaceMember,
  listSpaceMembers,
  resolvePath,
  startHandoff,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const view = { offset: 0, limit: 25, sort: 'name', order: 'asc' } as const;

async function names(user: User, linkUri: string): Promise<string[]> {
  const answer = await user.send(remoteUpdate, { linkUri, fresh: true });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ data: FirstPage }>().data.items.map(({ name }) => name);
}

test('an editor makes a public link to an item in a space: visitors see that item, and nothing of the space or its location', async (t) => {
  const app = await spaceApp(t);
  const noor = await app.signUp();
  const { linkUri } = await join(app, app.space, noor, 'editor');
  const { sharelinkurl } = await noor.ask(createWeblink, { linkUri });
  const weblinkId = sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
  const stranger = app.visitor();
  const opened = await stranger.ask(openWeblink, { weblinkId });
  assert.deepEqual([opened.name, opened.isFolder], ['Team', true]);
  const { items } = await stranger.ask(listWeblink, { weblinkId, ...view });
  assert.deepEqual(
    items.map(({ name }) => name),
    ['sub', 'plan.txt'],
  );
  const file = await stranger.inject({ url: `${downloadWeblink.path}?weblinkId=${weblinkId}&path=plan.txt` });
  assert.equal(file.body, 'bytes of /projects/team/plan.txt');
  const packed = await stranger.send(archiveWeblink, { weblinkId });
  assert.ok(packed.body.includes('deep.txt') && !packed.body.includes('secret') && !packed.body.includes('team2'));
  for (const path of ['../secret.txt', '..', '/../team2/other.txt', 'sub/../../secret.txt'])
    assert.equal((await stranger.refusal(listWeblink, { weblinkId, path })).errorCode, 701, path);
  for (const said of [opened, items]) assert.ok(!/Mara|NAS|projects/.test(JSON.stringify(said)));
});

test('a folder of a space can be handed to a program, as long as its user is a member', async (t) => {
  const app = await spaceApp(t);
  const { user, space } = app;
  const noor = await app.signUp();
  const { userLinkId } = await join(app, space, noor, 'editor');
  const processData = JSON.stringify({ destinationPath: 'Team/sub', linkUri: linkUriOf(userLinkId, '/sub') });
  const begin = async () => (await noor.ask(startHandoff, { action: 'sync', name: 'Laptop' })).processToken;
  const processToken = await begin();
  await noor.ask(completeHandoff, { processToken, processData });
  assert.equal((await noor.ask(handoffStatus, { processToken })).state, 'completed');
  const { spaceOid } = space;
  const member = (await user.ask(listSpaceMembers, { spaceOid })).members.find(({ email }) => email === noor.email);
  await user.ask(removeSpaceMember, { spaceOid, memberId: member?.memberId ?? '' });
  assert.equal((await noor.refusal(completeHandoff, { processToken: await begin(), processData })).errorCode, 351);
});

test('a change by one member is visible to the others and the owner, each under their own name of the space', async (t) => {
  const app = await spaceApp(t);
  const [noor, sam] = [await app.signUp(), await app.signUp()];
  const ofNoor = await join(app, app.space, noor, 'editor');
  const ofSam = await join(app, app.space, sam, 'viewer');
  assert.deepEqual(await names(sam, ofSam.linkUri), ['sub', 'plan.txt']);
  await noor.ask(addFolder, { parentLinkUri: ofNoor.linkUri, folderName: 'Ours', conflict: 'fail' });
  for (const [person, uri] of [
    [sam, ofSam.linkUri],
    [app.user, app.space.linkUri],
    [app.user, linkUriOf(app.storageId, '/projects/team')],
  ] as const)
    assert.deepEqual(await names(person, uri), ['Ours', 'sub', 'plan.txt']);
  const { item, ancestors } = await sam.ask(resolvePath, { path: '/Team/sub/deep.txt' });
  assert.deepEqual([item.linkUri, ancestors.map(({ name }) => name)], [linkUriOf(ofSam.userLinkId, '/sub/deep.txt'), ['Team', 'sub']]);
});

test("members use the owner's one connection and share its limit", async (t) => {
  const app = await spaceApp(t);
  const people = [await app.signUp(), await app.signUp(), await app.signUp()];
  const uris: string[] = [];
  for (const person of people) uris.push((await join(app, app.space, person, 'viewer')).linkUri);
  await Promise.all(people.map((person, index) => names(person, uris[index] ?? '')));
  assert.equal(app.source.counts.opened, 1);
});

test("a folder of an organisation's link becomes a space of a member, and is out of reach when that member leaves the organisation", async (t) => {
  const app = await orgApp(t, { settings: { SHEAF_BILLING: 'off' } });
  const colleague = await app.join('member');
  const { orgOid } = app.org;
  const { userLinkId } = await app.owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'Office', orgOid }));
  app.source.put('/team/plan.txt', 'plan');
  app.source.put('/secret.txt', 'secret');
  const { space } = await colleague.ask(createSpace, { storageLinkUri: linkUriOf(userLinkId, '/team'), spaceName: 'Team' });
  const guest = await app.signUp();
  const { linkUri } = await join({ ...app, user: colleague }, space, guest, 'viewer');
  assert.deepEqual(await names(guest, linkUri), ['plan.txt']);
  assert.equal((await guest.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/team/plan.txt') })).errorCode, 351);
  await colleague.ask(leaveOrg, { orgOid });
  assert.equal((await guest.refusal(getMetadata, { linkUri: `${linkUri}/plan.txt` })).errorCode, 750);
  assert.equal((await guest.ask(listSpaces, {})).spaces[0]?.state, 'unlinked');
});

test("the owner of a space in an organisation's link is told which subscription has ended", async (t) => {
  const app = await orgApp(t);
  const { owner, org, services } = app;
  await services.subscriptions.startTrial({ payerId: owner.userId, actorId: owner.userId, product: 'premium', units: 1 });
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'Office', orgOid: org.orgOid }));
  app.source.put('/team/plan.txt', 'plan');
  const { space } = await owner.ask(createSpace, { storageLinkUri: linkUriOf(userLinkId, '/team'), spaceName: 'Team' });
  const { db } = services.database;
  await db.updateTable('subscription').set({ state: 'expired' }).where('payerId', '=', org.orgOid).execute();
  services.access.forget(owner.userId);
  assert.match((await owner.refusal(getMetadata, { linkUri: space.linkUri })).message, /^Acme's subscription has ended\./);
});

test("nobody reaches a space whose owner's account is disabled", async (t) => {
  const app = await spaceApp(t);
  const noor = await app.signUp();
  const { linkUri } = await join(app, app.space, noor, 'viewer');
  const { db } = app.services.database;
  await db.updateTable('account').set({ disabledAt: 1 }).where('id', '=', app.user.userId).execute();
  const refusal = await noor.refusal(getMetadata, { linkUri: `${linkUri}/plan.txt` });
  assert.deepEqual(
    [refusal.errorCode, refusal.message],
    [752, 'The storage of "Team" cannot be opened at the moment. Mara needs to fix it.'],
  );
});
