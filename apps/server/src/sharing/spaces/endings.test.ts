import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptSpaceInvitation,
  changeSpaceMember,
  createSpace,
  createWeblink,
  deleteLink,
  getMetadata,
  inviteToSpace,
  leaveSpace,
  linkUriOf,
  listAudit,
  listSpaceMembers,
  listSpaces,
  getWeblinks,
  openWeblink,
  removeSpace,
  removeSpaceMember,
  updateSpace,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { addSftp, rowsOf } from '#/testing/links.ts';
import { mailAbout, mailedToken, mailsTo } from '#/testing/outbox.ts';
import { type SpaceApp, invitationPage, join, spaceApp } from '#/testing/spaces.ts';
import { uploading } from '#/testing/under-way.ts';

const signal = AbortSignal.timeout(60_000);
const memberIdOf = async ({ user, space: { spaceOid } }: SpaceApp, { email }: User): Promise<string> =>
  (await user.ask(listSpaceMembers, { spaceOid })).members.find((member) => member.email === email)?.memberId ?? '';
const stateOf = async (user: User) => (await user.ask(listSpaces, {})).spaces[0]?.state;
/** Shares the file publicly as the user; returns the share's id. */
async function share(user: User, linkUri: string): Promise<string> {
  const { sharelinkurl } = await user.ask(createWeblink, { linkUri });
  return sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
}

test('unlinking a link to a space leaves the space; the owner is told to end it instead: 117 [SPC-29]', async (t) => {
  const app = await spaceApp(t);
  const { user, space, storageId } = app;
  const noor = await app.signUp();
  const { userLinkId } = await join(app, space, noor, 'editor');
  const refusal = await user.refusal(deleteLink, { userLinkId: space.userLinkId });
  assert.deepEqual([refusal.errorCode, refusal.message], [117, 'You own this space. End it in the list of spaces instead.']);
  await noor.ask(deleteLink, { userLinkId });
  assert.deepEqual([await rowsOf(noor), (await noor.ask(listSpaces, {})).spaces], [[], []]);
  assert.equal((await noor.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/plan.txt') })).errorCode, 351);
  assert.equal((await user.ask(listSpaces, {})).spaces[0]?.members, 1);
  assert.ok(await user.ask(getMetadata, { linkUri: linkUriOf(storageId, '/projects/team/plan.txt') }));
});

test('a removed member loses the space, its public links and running calls at once, and is notified by mail', async (t) => {
  const app = await spaceApp(t, { chunkSize: 4 });
  const { space, source, services, user } = app;
  const { spaceOid } = space;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await join(app, space, noor, 'editor');
  const weblinkId = await share(noor, linkUriOf(userLinkId, '/plan.txt'));
  await app.visitor().ask(openWeblink, { weblinkId });

  const { connector } = await services.access.open(noor.userId, userLinkId);
  const body = await connector.read('/plan.txt', { signal });
  const { promise: goneOn, resolve: goOn } = Promise.withResolvers<void>();
  source.setGate(async (operation, _, part) => {
    if (operation === 'read' && part > 1) await goneOn;
  });
  const drained = body.drain(async () => undefined);
  await user.ask(removeSpaceMember, { spaceOid, memberId: await memberIdOf(app, noor) });
  goOn();
  await assert.rejects(drained, 'a download that was under way goes on for nobody');
  assert.equal((await noor.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/plan.txt') })).errorCode, 351);
  assert.equal((await app.visitor().refusal(openWeblink, { weblinkId })).errorCode, 415);
  const mail = await mailAbout(app, noor.email, /Subject: You are no longer a member of Team/);
  assert.ok(!mail.includes('projects'));
});

test('a member who becomes a viewer keeps the files, but neither public links nor a running upload', async (t) => {
  const app = await spaceApp(t);
  const { space, source, user } = app;
  const noor = await app.signUp();
  const { userLinkId } = await join(app, space, noor, 'editor');
  const weblinkId = await share(noor, linkUriOf(userLinkId, '/plan.txt'));
  const { written, goOn } = await uploading(app, noor, userLinkId);
  await user.ask(changeSpaceMember, { spaceOid: space.spaceOid, memberId: await memberIdOf(app, noor), role: 'viewer' });
  goOn();
  await assert.rejects(written);
  source.setGate(() => undefined);
  assert.equal((await user.refusal(getMetadata, { linkUri: linkUriOf(space.userLinkId, '/late.txt') })).errorCode, 701);
  assert.deepEqual(await noor.ask(getWeblinks, {}), []);
  assert.equal((await app.visitor().refusal(openWeblink, { weblinkId })).errorCode, 415);
  assert.ok(await noor.ask(getMetadata, { linkUri: linkUriOf(userLinkId, '/plan.txt') }));
});

test('a right changed on another instance applies here within two seconds', async (t) => {
  let time = Math.floor(Date.now() / 1000);
  const app = await spaceApp(t, { now: () => time });
  const noor = await app.signUp();
  const { userLinkId } = await join(app, app.space, noor, 'editor');
  const linkUri = linkUriOf(userLinkId, '/plan.txt');
  const canWrite = async () => (await app.services.access.open(noor.userId, userLinkId)).connector.write !== undefined;
  assert.ok(await canWrite());
  await app.services.database.db.updateTable('space_member').set({ role: 'viewer' }).where('accountId', '=', noor.userId).execute();
  time += 2;
  assert.equal(await canWrite(), false);
  await app.services.database.db.deleteFrom('link').where('id', '=', userLinkId).execute();
  time += 2;
  assert.equal((await noor.refusal(getMetadata, { linkUri })).errorCode, 351);
});

test('an ended space is gone for everybody, with its public links and invitations; its files stay and its members are notified', async (t) => {
  const app = await spaceApp(t);
  const { user, space, storageId } = app;
  const { spaceOid } = space;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await join(app, space, noor, 'manager');
  const weblinkId = await share(noor, linkUriOf(userLinkId, '/plan.txt'));
  await user.ask(inviteToSpace, { spaceOid, emails: 'sam@example.org', role: 'viewer' });
  const token = await mailedToken(app, 'sam@example.org', invitationPage);
  assert.equal((await noor.refusal(removeSpace, { spaceOid })).errorCode, 753);
  await user.ask(removeSpace, { spaceOid });
  for (const person of [user, noor]) assert.deepEqual((await person.ask(listSpaces, {})).spaces, []);
  assert.deepEqual([await rowsOf(noor), (await rowsOf(user)).map(({ name }) => name)], [[], ['NAS']]);
  assert.equal((await noor.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/') })).errorCode, 351);
  assert.equal((await app.visitor().refusal(openWeblink, { weblinkId })).errorCode, 415);
  const sam = await app.signUp('sam@example.org');
  assert.equal((await sam.refusal(acceptSpaceInvitation, { token })).errorCode, 754);
  await mailAbout(app, noor.email, /Subject: Team has ended/);
  assert.ok(await user.ask(getMetadata, { linkUri: linkUriOf(storageId, '/projects/team/plan.txt') }));
  await user.ask(createSpace, { storageLinkUri: linkUriOf(storageId, '/projects/team'), spaceName: 'Team' });
});

test('when the owner unlinks the storage members are told, not shown an empty folder; once the owner chooses another folder the space continues', async (t) => {
  const app = await spaceApp(t);
  const { user, space, storageId } = app;
  const { spaceOid } = space;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await join(app, space, noor, 'viewer');
  const linkUri = linkUriOf(userLinkId, '/plan.txt');
  const weblinkId = await share(user, linkUriOf(space.userLinkId, '/plan.txt'));
  await noor.ask(getMetadata, { linkUri });
  await user.ask(deleteLink, { userLinkId: storageId });
  for (const [person, uri] of [
    [noor, linkUri],
    [user, linkUriOf(space.userLinkId, '/')],
  ] as const) {
    const refusal = await person.refusal(getMetadata, { linkUri: uri === linkUri ? uri : linkUriOf(space.userLinkId, '/plan.txt') });
    assert.deepEqual(
      [refusal.errorCode, refusal.message],
      [750, 'Mara has unlinked the storage of "Team". Its files are still there, but cannot be reached through Sheaf.'],
    );
    assert.equal(await stateOf(person), 'unlinked');
  }
  assert.equal((await app.visitor().refusal(openWeblink, { weblinkId })).errorCode, 740);
  await mailAbout(app, noor.email, /Subject: The files of Team cannot be reached/);
  assert.equal((await mailsTo(app, user.email)).filter((mail) => mail.includes('cannot be reached')).length, 0);

  const { userLinkId: again } = await addSftp(user, 'NAS 2');
  app.source.put('/moved/plan.txt', 'moved');
  const { space: after } = await user.ask(updateSpace, { spaceOid, storageLinkUri: linkUriOf(again, '/moved') });
  assert.deepEqual([after.state, after.destinationPath], ['ok', 'NAS 2/moved']);
  assert.equal((await noor.ask(getMetadata, { linkUri })).size, 5);
  assert.equal(await stateOf(noor), 'ok');
});

test("problems of the owner's storage are reported to the owner; members are told that the owner has to look after it", async (t) => {
  const app = await spaceApp(t);
  const { user, space } = app;
  const noor = await app.signUp();
  const { userLinkId } = await join(app, space, noor, 'editor');
  for (const kind of ['unauthorized', 'hostKeyChanged', 'unreachable', 'needsAuthorization', 'wrongPassphrase'] as const) {
    app.refuse(kind, { fingerprint: 'SHA256:planted' });
    const told = await noor.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/plan.txt') });
    assert.deepEqual(
      [told.errorCode, told.message],
      [752, 'The storage of "Team" cannot be opened at the moment. Mara needs to fix it.'],
      kind,
    );
    assert.notEqual((await user.refusal(getMetadata, { linkUri: linkUriOf(space.userLinkId, '/plan.txt') })).errorCode, 752, kind);
  }
  app.refuse('forbidden');
  assert.equal((await noor.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/plan.txt') })).errorCode, 703);
});

test('of two concurrent answers to one invitation one counts; an answer to a space that ends at the same moment leaves nothing behind', async (t) => {
  const app = await spaceApp(t);
  const { user, storageId } = app;
  const noor = await app.signUp('noor@example.org');
  for (let round = 0; round < 8; round++) {
    const { space } = await user.ask(createSpace, { storageLinkUri: linkUriOf(storageId, '/projects'), spaceName: `Round ${round}` });
    const { spaceOid } = space;
    await user.ask(inviteToSpace, { spaceOid, emails: noor.email, role: 'editor' });
    const token = await mailedToken(app, noor.email, invitationPage);
    const isEnding = round % 2 === 1;
    const answers = await Promise.all([
      noor.send(acceptSpaceInvitation, { token }),
      noor.send(acceptSpaceInvitation, { token }),
      ...(isEnding ? [user.send(removeSpace, { spaceOid })] : []),
    ]);
    const accepted = answers.slice(0, 2).filter(({ statusCode }) => statusCode === 200).length;
    const { spaces } = await noor.ask(listSpaces, {});
    const links = (await rowsOf(noor)).length;
    if (isEnding) assert.ok(accepted <= 1);
    else assert.equal(accepted, 1);
    assert.deepEqual([spaces.length, links], isEnding ? [0, 0] : [1, 1]);
    if (!isEnding) await noor.ask(leaveSpace, { spaceOid });
  }
});

test('of two concurrent spaces of one name one is created', async (t) => {
  const { user, storageId } = await spaceApp(t);
  const storageLinkUri = linkUriOf(storageId, '/projects');
  const answers = await Promise.all([1, 2, 3].map(() => user.send(createSpace, { storageLinkUri, spaceName: 'Twin' })));
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 409, 409],
  );
  assert.equal((await user.ask(listSpaces, {})).spaces.filter(({ name }) => name === 'Twin').length, 1);
});

test('events in a space are recorded in the log of its owner', async (t) => {
  const app = await spaceApp(t);
  const { user, space, storageId } = app;
  const { spaceOid } = space;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await join(app, space, noor, 'viewer');
  await user.ask(changeSpaceMember, { spaceOid, memberId: await memberIdOf(app, noor), role: 'manager' });
  await noor.ask(inviteToSpace, { spaceOid, emails: 'sam@example.org', role: 'viewer' });
  await user.ask(updateSpace, { spaceOid, spaceName: 'Crew', storageLinkUri: linkUriOf(storageId, '/projects') });
  await noor.ask(deleteLink, { userLinkId });
  await user.ask(removeSpace, { spaceOid });
  const { entries } = await user.ask(listAudit, { limit: 50 });
  const sentences = entries.filter(({ action }) => action.startsWith('space.')).map(({ sentence }) => sentence);
  assert.deepEqual(sentences, [
    'ended the space Crew',
    'left the space Crew',
    'took back the invitation of sam@example.org to the space Crew by Mara',
    'put the space Team onto another folder',
    'renamed the space Team to Crew',
    'invited sam@example.org to the space Team as viewer',
    'made Mara manager of the space Team',
    'joined the space Team',
    'invited noor@example.org to the space Team as viewer',
    'created the space Team',
  ]);
  assert.ok(!JSON.stringify(entries).includes('projects'));
});

test('closing an account ends its spaces', async (t) => {
  const app = await spaceApp(t);
  const noor = await app.signUp('noor@example.org');
  await join(app, app.space, noor, 'editor');
  await app.services.spaces.endAllOf(app.user.userId, 'Mara');
  assert.deepEqual([await rowsOf(noor), (await noor.ask(listSpaces, {})).spaces], [[], []]);
  await mailAbout(app, noor.email, /Subject: Team has ended/);
});

test('invitations are limited: three a day to one address from one space', async (t) => {
  const { user, space } = await spaceApp(t);
  const invite = () => user.ask(inviteToSpace, { spaceOid: space.spaceOid, emails: 'noor@example.org', role: 'viewer' });
  for (let time = 1; time <= 3; time++) assert.deepEqual((await invite()).refused, []);
  const { invited, refused } = await invite();
  assert.deepEqual([invited, refused[0]?.email], [[], 'noor@example.org']);
  assert.match(refused[0]?.message ?? '', /Too many attempts/);
});
