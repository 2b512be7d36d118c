import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptOrgInvitation,
  allLinks,
  changeOrgMember,
  closeAccount,
  closeOrg,
  createAuthCode,
  emailLogin,
  familyCalls,
  getShop,
  inviteToOrg,
  leaveOrg,
  listAudit,
  listOrgLinks,
  listOrgMembers,
  listOrgs,
  makeToken,
  products,
  removeOrgMember,
  renameOrg,
  showOrg,
  transferOrg,
} from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';
import { mailAbout } from '#/testing/outbox.ts';

const units = products.org.units.trial;

test('enabling creates an organisation with a trial, owned by its creator [ORG-02] [API-64] [ORG-20] [API-02]', async (t) => {
  const { signUp } = await testApp(t);
  const user = await signUp();
  assert.equal(showOrg.method, 'POST');
  const { org } = await user.ask(showOrg, { trialDays: 7, track: 'x' });
  const { orgOid, orgMembershipOid, ...rest } = org;
  assert.match(orgOid, /^[A-Za-z0-9]{20}$/);
  assert.match(orgMembershipOid, /^[A-Za-z0-9]{20}$/);
  assert.deepEqual(rest, {
    name: "Mara's organisation",
    role: 'owner',
    planName: 'Organisation',
    planMembers: units,
    members: 1,
    state: 'trial',
    expirationDays: 7,
  });
  assert.deepEqual((await user.ask(listOrgs, {})).orgs, [org]);
});

test('a user who owns an organisation or had the trial of one is not eligible, and of two concurrent requests one succeeds [ORG-09]', async (t) => {
  const { signUp } = await testApp(t);
  const user = await signUp();
  assert.equal((await user.ask(getShop, {})).orgTrialEligible, true);
  const answers = await Promise.all([1, 2, 3].map(() => user.send(showOrg, { trialDays: 7 })));
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 403, 403],
  );
  assert.equal((await user.ask(getShop, {})).orgTrialEligible, false);
  const { orgs } = await user.ask(listOrgs, {});
  assert.equal(orgs.length, 1);
  const refusal = await user.refusal(showOrg, { trialDays: 7 });
  assert.deepEqual([refusal.errorCode, refusal.message], [124, 'Your account is not eligible for this subscription.']);
  const [org] = orgs;
  assert.ok(org);
  await user.ask(closeOrg, { orgOid: org.orgOid, name: org.name });
  assert.equal((await user.refusal(showOrg, { trialDays: 7 })).errorCode, 124);
  const { org: bare } = await user.ask(showOrg, { trialDays: 0 });
  assert.deepEqual([bare.state, bare.planMembers, bare.planName], ['expired', 0, '']);
});

test('with billing off an organisation needs no subscription', async (t) => {
  const { signUp } = await testApp(t, { settings: { SHEAF_BILLING: 'off' } });
  const { org } = await (await signUp()).ask(showOrg, { trialDays: 7 });
  assert.deepEqual([org.state, org.planMembers], ['active', products.org.units.max]);
});

test('nobody signs in as an organisation', async (t) => {
  const app = await orgApp(t);
  const row = await app.services.accounts.get(app.org.orgOid);
  assert.deepEqual([row.kind, row.email, row.passwordHash], ['organisation', '', null]);
  for (const email of [row.emailKey, row.email, row.id])
    assert.notEqual((await app.visitor().send(emailLogin, { email, password: '' })).statusCode, 200);
});

test('an organisation is renamed by the rules for names', async (t) => {
  const { owner, org } = await orgApp(t);
  const { orgOid } = org;
  assert.equal((await owner.ask(renameOrg, { orgOid, newName: ' Acme Films ' })).org.name, 'Acme Films');
  assert.equal((await owner.refusal(renameOrg, { orgOid, newName: 'a/b' })).errorCode, 222);
  assert.equal((await owner.refusal(renameOrg, { orgOid, newName: ' ' })).errorCode, 107);
  assert.equal((await owner.ask(listOrgs, {})).orgs[0]?.name, 'Acme Films');
});

test('the members are listed with open invitations and the capacity of the plan [ORG-10] [ORG-11] [ORG-13]', async (t) => {
  const { owner, org, join, invite } = await orgApp(t);
  const admin = await join('admin');
  await invite('later@example.org');
  const { orgOid } = org;
  const { members, ...plan } = await admin.ask(listOrgMembers, { orgOid });
  assert.deepEqual(plan, { orgOid, planName: 'Organisation', planMembers: String(units) });
  assert.deepEqual(
    members.map(({ email, role, isInvited, isYou }) => [email, role, isInvited, isYou]),
    [
      [owner.email, 'owner', false, false],
      [admin.email, 'admin', false, true],
      ['later@example.org', 'member', true, false],
    ],
  );
});

test('roles of members and of invitations can be changed, the role of the owner cannot', async (t) => {
  const { owner, org, join, invite } = await orgApp(t);
  const member = await join();
  await invite('later@example.org');
  const { orgOid } = org;
  const rolesNow = async () => (await owner.ask(listOrgMembers, { orgOid })).members.map(({ role }) => role);
  const [own, theirs, invited] = (await owner.ask(listOrgMembers, { orgOid })).members;
  assert.ok(own && theirs && invited);
  assert.equal((await member.refusal(changeOrgMember, { orgOid, memberId: theirs.memberId, role: 'admin' })).errorCode, 753);
  for (const { memberId } of [theirs, invited]) await owner.ask(changeOrgMember, { orgOid, memberId, role: 'admin' });
  assert.deepEqual(await rolesNow(), ['owner', 'admin', 'admin']);
  assert.equal((await member.refusal(changeOrgMember, { orgOid, memberId: own.memberId, role: 'member' })).errorCode, 753);
  assert.equal((await member.refusal(removeOrgMember, { orgOid, memberId: own.memberId })).errorCode, 753);
  assert.equal((await owner.send(changeOrgMember, { orgOid, memberId: theirs.memberId, role: 'owner' as 'admin' })).statusCode, 400);
  assert.equal((await owner.refusal(changeOrgMember, { orgOid, memberId: 'nobody', role: 'admin' })).errorCode, 771);
  assert.deepEqual(await rolesNow(), ['owner', 'admin', 'admin']);
});

test('a removed member receives a mail and loses access at once', async (t) => {
  const app = await orgApp(t);
  const { owner, org, join, source } = app;
  source.put('/a.txt', 'a');
  const { orgOid } = org;
  const member = await join();
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid }));
  await app.services.access.open(member.userId, userLinkId);
  await owner.ask(removeOrgMember, { orgOid, memberId: member.membershipOid });
  await assert.rejects(app.services.access.open(member.userId, userLinkId), { messageCode: 'INVALID_LINK_URI' });
  assert.deepEqual((await member.ask(listOrgs, {})).orgs, []);
  assert.equal((await member.ask(allLinks, {})).activeSources.length, 0);
  await mailAbout(app, member.email, /You are no longer a member of Acme/);
});

test('members can leave; the owner must hand over first', async (t) => {
  const app = await orgApp(t);
  const { owner, org, join } = app;
  const { orgOid } = org;
  const [one, two] = [await join(), await join()];
  await one.ask(leaveOrg, { orgOid });
  assert.equal((await one.refusal(leaveOrg, { orgOid })).errorCode, 758);
  const refusal = await owner.refusal(leaveOrg, { orgOid });
  assert.deepEqual([refusal.errorCode, refusal.status], [770, 409]);
  await owner.ask(transferOrg, { orgOid, memberId: two.membershipOid });
  await mailAbout(app, two.email, /You are now the owner of Acme[^]+\/org\/billing\?orgOid=/);
  assert.equal((await owner.ask(listOrgs, {})).orgs[0]?.role, 'admin');
  assert.equal((await two.ask(listOrgs, {})).orgs[0]?.role, 'owner');
  await owner.ask(leaveOrg, { orgOid });
  assert.deepEqual((await owner.ask(listOrgs, {})).orgs, []);
});

test('nobody whose account is about to end becomes the owner, and of closing and handing over at once one is refused', async (t) => {
  const { owner, org, join, services } = await orgApp(t);
  const { orgOid } = org;
  const [one, two] = [await join(), await join()];
  await one.ask(closeAccount, { email: one.email, password: one.password });
  assert.equal((await owner.refusal(transferOrg, { orgOid, memberId: one.membershipOid })).errorCode, 771);
  const [closed, transferred] = await Promise.all([
    two.send(closeAccount, { email: two.email, password: two.password }),
    owner.send(transferOrg, { orgOid, memberId: two.membershipOid }),
  ]);
  assert.equal([closed, transferred].filter(({ statusCode }) => statusCode === 200).length, 1);
  const { closesAt } = await services.accounts.get(two.userId);
  assert.equal(closesAt !== null, closed.statusCode === 200);
});

test('handing over to somebody who is being removed leaves exactly one owner', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const [one, two] = [await join(), await join('admin')];
  const [removed, transferred] = await Promise.all([
    two.send(removeOrgMember, { orgOid, memberId: one.membershipOid }),
    owner.send(transferOrg, { orgOid, memberId: one.membershipOid }),
  ]);
  assert.deepEqual(
    [removed.statusCode, transferred.statusCode].toSorted((a, b) => a - b),
    removed.statusCode === 200 ? [200, 404] : [200, 403],
  );
  const { members } = await two.ask(listOrgMembers, { orgOid });
  assert.equal(members.filter(({ role }) => role === 'owner').length, 1);
  assert.equal(members.length, removed.statusCode === 200 ? 2 : 3);
});

test('of two concurrent handovers, one of the members ends up as the owner', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const members = [await join(), await join()];
  const answers = await Promise.all(members.map(({ membershipOid }) => owner.send(transferOrg, { orgOid, memberId: membershipOid })));
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1);
  const list = await owner.ask(listOrgMembers, { orgOid });
  assert.deepEqual(list.members.map(({ role }) => role).sort(), ['admin', 'member', 'owner']);
});

test('closing needs the name typed, ends the subscription, deletes links and secrets, notifies the members and leaves the files', async (t) => {
  const app = await orgApp(t);
  const { owner, org, join, source, services } = app;
  const { orgOid } = org;
  source.put('/keep.txt', 'x');
  const member = await join();
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid }));
  await services.access.open(member.userId, userLinkId);
  assert.equal((await owner.refusal(closeOrg, { orgOid, name: 'acme' })).errorCode, 107);
  await owner.ask(closeOrg, { orgOid, name: 'Acme' });
  for (const table of ['link', 'link_secret', 'org_member', 'org_invitation'] as const)
    assert.deepEqual(await services.database.db.selectFrom(table).selectAll().execute(), [], table);
  await assert.rejects(services.access.open(member.userId, userLinkId), { messageCode: 'INVALID_LINK_URI' });
  assert.equal((await owner.refusal(listOrgLinks, { orgOid })).errorCode, 758);
  await mailAbout(app, member.email, /Acme was closed/);
  assert.ok(source.root.children.has('keep.txt'));
  const { entries } = await owner.ask(listAudit, { limit: 50 });
  assert.ok(entries.some(({ sentence }) => sentence === 'closed Acme'));
});

test('actions in an organisation are recorded in its log, with who did them', async (t) => {
  const app = await orgApp(t);
  const { owner, org, join } = app;
  const { orgOid } = org;
  const member = await join();
  await owner.ask(renameOrg, { orgOid, newName: 'Films' });
  await owner.ask(inviteToOrg, { orgOid, emails: 'x@example.org', role: 'admin' });
  const { userLinkId } = await member.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid, linkName: 'NAS' }));
  await member.ask(familyCalls.sftp.update, { orgOid, userLinkId, linkName: 'Store' });
  await owner.ask(changeOrgMember, { orgOid, memberId: member.membershipOid, role: 'admin' });
  await owner.ask(transferOrg, { orgOid, memberId: member.membershipOid });
  await owner.ask(leaveOrg, { orgOid });
  const { entries } = await member.ask(listAudit, { orgOid, limit: 100 });
  const told = entries.map(({ actorId, sentence }) => `${actorId === owner.userId ? 'owner' : 'member'} ${sentence}`).toReversed();
  assert.deepEqual(
    told.filter((line) => !line.includes('trial')),
    [
      'owner made the organisation Acme',
      `owner invited ${member.email} to Acme as member`,
      'member joined Acme',
      'owner renamed the organisation Acme to Films',
      'owner invited x@example.org to Films as admin',
      'member linked NAS',
      'member changed the link Store',
      'owner made Mara admin of Films',
      'owner made Mara the owner of Films',
      'owner took back the invitation of x@example.org to Films by Mara',
      'owner left Films',
    ],
  );
  assert.ok(!JSON.stringify(entries).includes(sftpInfo.password));
});

test('a token of a command-line client changes nothing about an organisation', async (t) => {
  const app = await orgApp(t);
  const { owner, org } = app;
  const { authCode } = await owner.ask(createAuthCode, { name: 'Laptop' });
  const { token } = await app.visitor().ask(makeToken, { authCode });
  const send = (url: string, payload: Record<string, string>) =>
    app.app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${token}` }, payload });
  const { orgOid } = org;
  for (const [call, input] of [
    [closeOrg, { orgOid, name: 'Acme' }],
    [inviteToOrg, { orgOid, emails: 'x@example.org', role: 'admin' }],
    [transferOrg, { orgOid, memberId: 'x' }],
    [leaveOrg, { orgOid }],
    [acceptOrgInvitation, { invitationId: 'x' }],
  ] as const)
    assert.equal((await send(call.path, input)).json<{ errorCode: number }>().errorCode, 104, call.path);
  assert.equal((await owner.ask(listOrgs, {})).orgs.length, 1);
});
