import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FirstPage,
  acceptSpaceInvitation,
  addFolder,
  allLinks,
  appError,
  createSpace,
  declineSpaceInvitation,
  getMetadata,
  inviteToSpace,
  linkUriOf,
  listSpaceMembers,
  listSpaces,
  remoteUpdate,
  showSpaceInvitation,
  updateSpace,
  updateSpaceLink,
} from '@sheaf/contract';
import { addSftp, linkApp, rowsOf } from '#/testing/links.ts';
import { mailedToken, mailsTo } from '#/testing/outbox.ts';
import { invitationPage, join, spaceApp } from '#/testing/spaces.ts';

const included = { settings: { SHEAF_BILLING: 'off' } };

test('a folder becomes a space: it has an id, a name, a description, a destination and the address of its storage [SPC-13] [SPC-26] [API-66]', async (t) => {
  const { user, source } = await linkApp(t, included);
  const { userLinkId } = await addSftp(user, 'NAS');
  source.put('/projects/team/plan.txt', 'plan');
  const storageLinkUri = linkUriOf(userLinkId, '/projects/team');
  const { space, invited, refused } = await user.ask(createSpace, {
    storageLinkUri,
    description: 'Our plans',
    emails: '',
    destinationPath: 'NAS/projects/team',
    spaceName: 'Team',
  });
  assert.deepEqual([invited, refused], [[], []]);
  const { spaceOid, userLinkId: own, linkUri, createdAt, ...rest } = space;
  assert.ok(spaceOid !== '' && own !== '' && createdAt > 0);
  assert.equal(linkUri, linkUriOf(own, '/'));
  assert.deepEqual(rest, {
    name: 'Team',
    linkName: 'Team',
    description: 'Our plans',
    role: 'owner',
    state: 'ok',
    ownerName: 'Mara',
    browseUrl: '/browse/Team',
    provider: 'SFTP',
    destinationPath: 'NAS/projects/team',
    storageLinkUri,
    members: 1,
  });
  assert.deepEqual(await user.ask(listSpaces, {}), { spaces: [space], invitations: [], maySpaces: true });
});

test('a space is listed among the links of its members with the form of Spaces [LNK-20] [SRC-26]', async (t) => {
  const app = await spaceApp(t);
  const member = await app.signUp();
  await join(app, app.space, member, 'viewer');
  for (const person of [app.user, member]) {
    const row = (await rowsOf(person)).find(({ provider }) => provider === 'Spaces');
    assert.ok(row);
    assert.deepEqual(
      [row.name, row.formType, row.thumbnailUrl, row.sourceAccountName, row.spaceRole],
      ['Team', 'SPACES', '/images/logos/spaces.svg', 'Mara', person === member ? 'viewer' : 'owner'],
    );
  }
  assert.ok((await rowsOf(app.user)).some(({ provider, spaceRole }) => provider === 'SFTP' && spaceRole === undefined));
  assert.equal((await member.ask(allLinks, {})).activeSources.length, 1);
});

test('creating needs no spaceName: a free name is made of the description, or else of the folder [API-66]', async (t) => {
  const { user, source } = await linkApp(t, included);
  const { userLinkId } = await addSftp(user, 'NAS');
  source.put('/projects/team/plan.txt', 'plan');
  const storageLinkUri = linkUriOf(userLinkId, '/projects/team');
  const names = [];
  for (const input of [{ description: 'Plans' }, {}, {}, { storageLinkUri: linkUriOf(userLinkId, '/') }])
    names.push((await user.ask(createSpace, { storageLinkUri, ...input })).space.name);
  assert.deepEqual(names, ['Plans', 'team', 'team 2', 'NAS']);
  // A link of that name exists, so the Space's link gets a number.
  assert.deepEqual((await rowsOf(user)).map(({ name }) => name).toSorted(), ['NAS', 'NAS 2', 'Plans', 'team', 'team 2']);
});

test('a name with forbidden characters is refused with 222, an empty one with 107, one that a space of the owner has with 429 [ERR-26] [SPC-14] [SPC-16]', async (t) => {
  const { user, space, storageId } = await spaceApp(t);
  const storageLinkUri = linkUriOf(storageId, '/projects');
  for (const spaceName of ['a/b', 'a:b', 'a|b', 'a\u0007b', 'x'.repeat(201)])
    assert.equal((await user.refusal(createSpace, { storageLinkUri, spaceName })).errorCode, 222);
  assert.equal((await user.refusal(createSpace, { storageLinkUri, spaceName: '  ' })).errorCode, 107);
  assert.equal((await user.refusal(updateSpace, { spaceOid: space.spaceOid, spaceName: ' ' })).errorCode, 107);
  const taken = await user.refusal(createSpace, { storageLinkUri, spaceName: 'TEAM' });
  assert.deepEqual([taken.errorCode, taken.message], [429, 'You already have an space named TEAM. Please enter a different name.']);
  assert.equal((await user.ask(listSpaces, {})).spaces.length, 1);
});

test('without a subscription nobody creates a space: 116 [SPC-27]', async (t) => {
  const { user, source } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'NAS');
  source.put('/team/plan.txt', 'plan');
  const refusal = await user.refusal(createSpace, { storageLinkUri: linkUriOf(userLinkId, '/team'), spaceName: 'Team' });
  assert.deepEqual([refusal.errorCode, refusal.message], [116, 'You need a Spaces subscription to create a space.']);
  assert.equal((await user.ask(listSpaces, {})).maySpaces, false);
});

test('anything but a folder of the user is refused with 202: files, missing items, foreign links, folders in spaces, sources that cannot be written to [SPC-15] [SPC-30] [ERR-12]', async (t) => {
  const { user, source, signUp } = await linkApp(t, included);
  const { userLinkId } = await addSftp(user, 'NAS');
  source.put('/team/plan.txt', 'plan');
  const { space } = await user.ask(createSpace, { storageLinkUri: linkUriOf(userLinkId, '/team'), spaceName: 'Team' });
  const strange = await addSftp(await signUp(), 'Theirs');
  const uris = [
    linkUriOf(userLinkId, '/team/plan.txt'),
    linkUriOf(userLinkId, '/missing'),
    linkUriOf(strange.userLinkId, '/team'),
    linkUriOf(space.userLinkId, '/'),
    `/${userLinkId}/team/%2e%2e`,
    'nonsense',
    '',
  ];
  for (const storageLinkUri of uris) {
    const refusal = await user.refusal(createSpace, { storageLinkUri, spaceName: 'Other' });
    assert.deepEqual(
      [refusal.errorCode, refusal.message],
      [202, 'This folder cannot be used for a space. Please choose a different folder.'],
      storageLinkUri,
    );
  }
});

test('emails are a comma-separated list: each address gets a mail, invalid ones are reported [SPC-17] [SPC-18] [SPC-19]', async (t) => {
  const app = await linkApp(t, included);
  const { userLinkId } = await addSftp(app.user, 'NAS');
  const { invited, refused } = await app.user.ask(createSpace, {
    storageLinkUri: linkUriOf(userLinkId, '/'),
    spaceName: 'Team',
    emails: `noor@example.org, abc,NOOR@example.org , ${app.user.email},sam@example.org,`,
    role: 'viewer',
  });
  assert.deepEqual(invited, ['noor@example.org', 'sam@example.org']);
  assert.deepEqual(refused, [
    { email: 'abc', ...appError('EMAIL_INVALID', {}).toAnswer() },
    { email: app.user.email, ...appError('ALREADY_MEMBER', { email: app.user.email }).toAnswer() },
  ]);
  for (const address of invited) {
    const [mail, ...others] = await mailsTo(app, address);
    assert.equal(others.length, 0);
    assert.match(mail ?? '', /Subject: Mara invites you to Team\n/);
  }
  const { members } = await app.user.ask(listSpaceMembers, { spaceOid: (await app.user.ask(listSpaces, {})).spaces[0]?.spaceOid ?? '' });
  assert.deepEqual(
    members.map(({ email, role, isInvited, isYou }) => ({ email, role, isInvited, isYou })),
    [
      { email: app.user.email, role: 'owner', isInvited: false, isYou: true },
      { email: 'noor@example.org', role: 'viewer', isInvited: true, isYou: false },
      { email: 'sam@example.org', role: 'viewer', isInvited: true, isYou: false },
    ],
  );
  assert.ok(!app.log().includes('token='));
});

test('an invited person accepts by the link of the mail and reaches the folder, and nothing else [SPC-31]', async (t) => {
  const app = await spaceApp(t);
  const member = await app.signUp('noor@example.org');
  const space = await join(app, app.space, member, 'editor');
  assert.deepEqual([space.name, space.role, space.state, space.members], ['Team', 'editor', 'ok', 2]);
  assert.deepEqual([space.destinationPath, space.storageLinkUri], [undefined, undefined]);
  const answer = await member.send(remoteUpdate, { linkUri: space.linkUri });
  assert.deepEqual(
    answer
      .json<{ data: FirstPage }>()
      .data.items.map(({ name }) => name)
      .toSorted(),
    ['plan.txt', 'sub'],
  );
  await member.ask(addFolder, { parentLinkUri: space.linkUri, folderName: 'Ours', conflict: 'fail' });
  const seen = await app.user.ask(getMetadata, { linkUri: linkUriOf(app.storageId, '/projects/team/Ours') });
  assert.equal(seen.fileType, 'FOLDER');
  assert.deepEqual((await member.ask(listSpaces, {})).invitations, []);
});

test('an invitation is answered once, within two weeks, by the account of its address, and by nobody else [SPC-31]', async (t) => {
  let time = Math.floor(Date.now() / 1000);
  const app = await spaceApp(t, { now: () => time });
  const { user, space } = app;
  const { spaceOid } = space;
  const other = await app.signUp('sam@example.org');
  await user.ask(inviteToSpace, { spaceOid, emails: 'noor@example.org', role: 'editor' });
  const first = await mailedToken(app, 'noor@example.org', invitationPage);
  assert.deepEqual(await app.visitor().ask(showSpaceInvitation, { token: first }), {
    name: 'Team',
    ownerName: 'Mara',
    email: 'noor@example.org',
    role: 'editor',
    hasAccount: false,
  });
  assert.equal((await other.refusal(acceptSpaceInvitation, { token: first })).errorCode, 755);
  assert.equal((await other.refusal(acceptSpaceInvitation, {})).errorCode, 107);
  assert.equal((await other.refusal(acceptSpaceInvitation, { token: 'guessed' })).errorCode, 754);

  await user.ask(inviteToSpace, { spaceOid, emails: 'noor@example.org', role: 'viewer' });
  const token = await mailedToken(app, 'noor@example.org', invitationPage);
  const noor = await app.signUp('noor@example.org');
  assert.equal((await noor.refusal(acceptSpaceInvitation, { token: first })).errorCode, 754, 'the newer mail replaces the older');
  time += 14 * 86_400;
  assert.equal((await noor.refusal(acceptSpaceInvitation, { token })).errorCode, 754, 'too late');
  time -= 60;
  assert.equal((await noor.ask(acceptSpaceInvitation, { token })).space.role, 'viewer');
  assert.equal((await noor.refusal(acceptSpaceInvitation, { token })).errorCode, 754);
});

test('an account of the invited address sees the invitation once the address is proven, and answers without the mail [SPC-31]', async (t) => {
  const app = await spaceApp(t);
  const { spaceOid } = app.space;
  await app.user.ask(inviteToSpace, { spaceOid, emails: 'noor@example.org,sam@example.org', role: 'manager' });
  const noor = await app.signUp('NOOR@example.org');
  assert.deepEqual((await noor.ask(listSpaces, {})).invitations, [], 'whoever signs up with an address has not proven it');
  await app.services.accounts.markVerified({ id: noor.userId, email: noor.email });
  const { invitations } = await noor.ask(listSpaces, {});
  assert.deepEqual(
    invitations.map(({ name, ownerName, role }) => ({ name, ownerName, role })),
    [{ name: 'Team', ownerName: 'Mara', role: 'manager' }],
  );
  const invitationId = invitations[0]?.invitationId ?? '';
  const sam = await app.signUp('sam@example.org');
  await app.services.accounts.markVerified({ id: sam.userId, email: sam.email });
  assert.equal((await sam.refusal(acceptSpaceInvitation, { invitationId })).errorCode, 754);
  assert.equal((await app.visitor().refusal(declineSpaceInvitation, { invitationId })).errorCode, 104);
  assert.equal((await noor.ask(acceptSpaceInvitation, { invitationId })).space.role, 'manager');

  await app.visitor().ask(declineSpaceInvitation, { token: await mailedToken(app, 'sam@example.org', invitationPage) });
  assert.deepEqual((await sam.ask(listSpaces, {})).invitations, []);
  assert.equal((await noor.ask(listSpaceMembers, { spaceOid })).members.length, 2);
});

test('update renames the space for everybody except those who have named their link themselves [API-67] [SPC-22]', async (t) => {
  const app = await spaceApp(t);
  const { user, space } = app;
  const { spaceOid } = space;
  const [noor, sam] = [await app.signUp(), await app.signUp()];
  const own = await join(app, space, noor, 'viewer');
  await join(app, space, sam, 'viewer');
  const renamed = await noor.ask(updateSpaceLink, { userLinkId: own.userLinkId, spaceName: 'Work' });
  assert.deepEqual([renamed.space.name, renamed.space.linkName, renamed.space.browseUrl], ['Team', 'Work', '/browse/Work']);

  const { space: after } = await user.ask(updateSpace, { spaceOid, description: 'Crew', spaceName: 'Crew' });
  assert.deepEqual([after.name, after.linkName, after.description], ['Crew', 'Crew', 'Crew']);
  const linkNames = async (person: typeof noor) => (await person.ask(listSpaces, {})).spaces.map(({ name, linkName }) => [name, linkName]);
  assert.deepEqual([await linkNames(noor), await linkNames(sam)], [[['Crew', 'Work']], [['Crew', 'Crew']]]);
  assert.equal((await noor.refusal(updateSpace, { spaceOid, spaceName: 'Mine' })).errorCode, 753);
  assert.equal((await (await app.signUp()).refusal(updateSpace, { spaceOid, spaceName: 'Mine' })).errorCode, 117);
  const described = await user.ask(updateSpace, { spaceOid, description: 'Only this' });
  assert.deepEqual([described.space.name, described.space.description], ['Crew', 'Only this']);
  assert.equal((await user.refusal(updateSpace, { spaceOid, spaceName: 'Other', rTag: 'wrong' })).errorCode, 104);
});

test("update_link renames a member's own link only, to a name that is free [API-68] [SPC-23]", async (t) => {
  const app = await spaceApp(t);
  const noor = await app.signUp();
  const { userLinkId } = await join(app, app.space, noor, 'editor');
  await addSftp(noor, 'Taken');
  assert.equal((await noor.refusal(updateSpaceLink, { userLinkId, spaceName: 'taken' })).errorCode, 421);
  assert.equal((await noor.refusal(updateSpaceLink, { userLinkId, spaceName: 'a/b' })).errorCode, 222);
  assert.equal((await noor.refusal(updateSpaceLink, { userLinkId: app.space.userLinkId, spaceName: 'Not mine' })).errorCode, 351);
  assert.equal((await noor.refusal(updateSpaceLink, { userLinkId, spaceName: 'x', rTag: 'wrong' })).errorCode, 104);
  await noor.ask(updateSpaceLink, { userLinkId });
  await noor.ask(updateSpaceLink, { userLinkId, spaceName: 'Mine' });
  assert.equal((await noor.ask(listSpaces, {})).spaces[0]?.linkName, 'Mine');
  assert.equal((await app.user.ask(listSpaces, {})).spaces[0]?.linkName, 'Team');
});
