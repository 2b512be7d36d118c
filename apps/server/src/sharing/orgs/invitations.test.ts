import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  acceptOrgInvitation,
  appError,
  changeOrgMember,
  declineOrgInvitation,
  inviteToOrg,
  leaveOrg,
  listAudit,
  listOrgMembers,
  listOrgs,
  products,
  removeOrgMember,
  showOrgInvitation,
  verifyEmail,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { type OrgApp, orgApp } from '#/testing/orgs.ts';
import { mailAbout, mailedToken } from '#/testing/outbox.ts';
import { createInvitationStore } from './invitation-store.ts';

const units = products.org.units.trial;
const page = '/invitation/org';
const day = 86_400;
const now = () => Math.floor(Date.now() / 1000);

async function invited(t: TestContext, options: Parameters<typeof orgApp>[1] = {}) {
  const app = await orgApp(t, options);
  const guest = await app.signUp();
  await app.invite(guest.email);
  return { ...app, guest, token: await mailedToken(app, guest.email, page) };
}
const prove = async (app: OrgApp, email: string): Promise<void> => {
  await app.visitor().ask(verifyEmail, { token: await mailedToken(app, email, '/account/verifyemail') });
};

test('an invitation is described only to people who have its token', async (t) => {
  const { visitor, token, guest } = await invited(t);
  const shown = await visitor().ask(showOrgInvitation, { token });
  assert.deepEqual(shown, { name: 'Acme', invitedBy: 'Mara', email: guest.email, role: 'member', hasAccount: true });
  for (const wrong of ['', `${token}x`, token.slice(1)])
    assert.notEqual((await visitor().send(showOrgInvitation, { token: wrong })).statusCode, 200);
});

test('the mailed token is stored as a hash only, stands behind the # of the address, and is in no log', async (t) => {
  const app = await invited(t);
  const rows = await app.services.database.db.selectFrom('org_invitation').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(app.token));
  assert.ok(!app.log().includes(app.token));
  await mailAbout(app, app.guest.email, /\/invitation\/org#token=/);
});

test('a token works once and verifies the address; the invitation disappears from the list', async (t) => {
  const { guest, token, owner, org } = await invited(t);
  assert.deepEqual((await guest.ask(listOrgs, {})).invitations, [], 'an address that is not proven is told nothing');
  const joined = await guest.ask(acceptOrgInvitation, { token });
  assert.deepEqual([joined.org.orgOid, joined.org.role, joined.org.members], [org.orgOid, 'member', 2]);
  assert.equal((await guest.refusal(acceptOrgInvitation, { token })).errorCode, 754);
  assert.equal((await guest.ask(listOrgs, {})).orgs[0]?.orgOid, org.orgOid);
  const { members } = await owner.ask(listOrgMembers, { orgOid: org.orgOid });
  assert.deepEqual(
    members.map(({ isInvited }) => isInvited),
    [false, false],
  );
  assert.deepEqual((await guest.ask(listOrgs, {})).invitations, []);
});

test('a user signed in with another address is told which one is meant, and is not admitted', async (t) => {
  const { token, guest, signUp } = await invited(t);
  const other = await signUp();
  const refusal = await other.refusal(acceptOrgInvitation, { token });
  assert.deepEqual([refusal.errorCode, refusal.message], [755, `This invitation is for ${guest.email}. Please sign in with that address.`]);
  assert.deepEqual((await other.ask(listOrgs, {})).orgs, []);
  await guest.ask(acceptOrgInvitation, { token });
});

test('a verified address finds its invitations without the mail, an unverified or another one does not', async (t) => {
  const app = await invited(t);
  const { guest, signUp } = app;
  const { db } = app.services.database;
  const [row] = await db.selectFrom('org_invitation').select('id').execute();
  const invitationId = row?.id ?? '';
  assert.equal((await guest.refusal(acceptOrgInvitation, { invitationId })).errorCode, 754);
  assert.equal((await guest.refusal(declineOrgInvitation, { invitationId })).errorCode, 754);
  const other = await signUp();
  await prove(app, other.email);
  assert.equal((await other.refusal(acceptOrgInvitation, { invitationId })).errorCode, 754);
  await prove(app, guest.email);
  const { invitations } = await guest.ask(listOrgs, {});
  assert.deepEqual(invitations, [{ invitationId, name: 'Acme', invitedBy: 'Mara', role: 'member' }]);
  await guest.ask(acceptOrgInvitation, { invitationId });
});

test('declining spends the invitation, also for a signed-out visitor with the token', async (t) => {
  const { token, visitor, guest, owner, org } = await invited(t);
  await visitor().ask(declineOrgInvitation, { token });
  assert.equal((await guest.refusal(acceptOrgInvitation, { token })).errorCode, 754);
  assert.equal((await visitor().refusal(declineOrgInvitation, { token })).errorCode, 754);
  const { entries } = await owner.ask(listAudit, { orgOid: org.orgOid, limit: 50 });
  assert.ok(entries.some(({ action }) => action === 'org.decline'));
});

test('an invitation expires after two weeks, and the sweep deletes it', async (t) => {
  let passed = 0;
  const app = await invited(t, { now: () => Math.floor(Date.now() / 1000) + passed });
  passed = 14 * day + 1;
  assert.equal((await app.guest.refusal(acceptOrgInvitation, { token: app.token })).errorCode, 754);
  await app.services.orgInvitations.sweep();
  assert.deepEqual(await app.services.database.db.selectFrom('org_invitation').selectAll().execute(), []);
});

test('revoking or rewriting an invitation invalidates the earlier token', async (t) => {
  const app = await invited(t);
  const { owner, org, guest, token, invite } = app;
  const { orgOid } = org;
  await invite(guest.email, 'admin');
  assert.equal((await guest.refusal(acceptOrgInvitation, { token })).errorCode, 754);
  const second = await mailedToken(app, guest.email, page);
  const memberId = (await owner.ask(listOrgMembers, { orgOid })).members.find(({ isInvited }) => isInvited)?.memberId ?? '';
  await owner.ask(changeOrgMember, { orgOid, memberId, role: 'member' });
  assert.equal((await guest.ask(showOrgInvitation, { token: second })).role, 'member');
  await owner.ask(removeOrgMember, { orgOid, memberId });
  assert.equal((await guest.refusal(acceptOrgInvitation, { token: second })).errorCode, 754);
});

test('invitations by an admin are revoked when the admin becomes a member, is removed or leaves; those by the owner stay', async (t) => {
  for (const way of ['demoted', 'removed', 'left']) {
    await t.test(way, async (inner) => {
      const app = await orgApp(inner);
      const { owner, org, join } = app;
      const { orgOid } = org;
      const admin = await join('admin');
      const guest = await app.signUp();
      await app.invite('sam@example.org');
      await admin.ask(inviteToOrg, { orgOid, emails: guest.email, role: 'admin' });
      const token = await mailedToken(app, guest.email, page);
      const memberId = admin.membershipOid;
      if (way === 'demoted') await owner.ask(changeOrgMember, { orgOid, memberId, role: 'member' });
      else if (way === 'removed') await owner.ask(removeOrgMember, { orgOid, memberId });
      else await admin.ask(leaveOrg, { orgOid });
      const { members } = await owner.ask(listOrgMembers, { orgOid });
      assert.deepEqual(
        members.filter(({ isInvited }) => isInvited).map(({ email }) => email),
        ['sam@example.org'],
      );
      assert.equal((await guest.refusal(acceptOrgInvitation, { token })).messageCode, 'INVITATION_SPENT');
      const { entries } = await owner.ask(listAudit, { orgOid, limit: 50 });
      const taken = entries.filter(({ action }) => action === 'org.withdraw').map(({ sentence }) => sentence);
      assert.deepEqual(taken, [`took back the invitation of ${guest.email} to Acme by Mara`]);
    });
  }
});

test('an admin who becomes a member while inviting leaves no invitation behind', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const admin = await join('admin');
  const emails = 'a@example.org, b@example.org, c@example.org';
  await Promise.all([
    admin.send(inviteToOrg, { orgOid, emails, role: 'admin' }),
    owner.ask(changeOrgMember, { orgOid, memberId: admin.membershipOid, role: 'member' }),
  ]);
  assert.ok((await owner.ask(listOrgMembers, { orgOid })).members.every(({ isInvited }) => !isInvited));
});

test('each of the comma-separated addresses is invited or refused with a reason', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const member = await join();
  const emails = ` new@example.org, ,not-an-address,${member.email.toUpperCase()},new@example.org,Other <x@example.org>`;
  const { invited: sent, refused } = await owner.ask(inviteToOrg, { orgOid: org.orgOid, emails, role: 'member' });
  assert.deepEqual(sent, ['new@example.org']);
  assert.deepEqual(refused, [
    { email: 'not-an-address', ...appError('EMAIL_INVALID', {}).toAnswer() },
    { email: member.email.toUpperCase(), ...appError('ALREADY_MEMBER', { email: member.email.toUpperCase() }).toAnswer() },
    { email: 'Other <x@example.org>', ...appError('EMAIL_INVALID', {}).toAnswer() },
  ]);
  assert.equal((await owner.refusal(inviteToOrg, { orgOid: org.orgOid, emails: ' , ', role: 'member' })).errorCode, 107);
  const many = Array.from({ length: 101 }, (_, index) => `p${index}@example.org`).join(',');
  assert.equal((await owner.refusal(inviteToOrg, { orgOid: org.orgOid, emails: many, role: 'member' })).errorCode, 107);
});

test('nobody is invited again and again', async (t) => {
  const { owner, org } = await orgApp(t);
  const once = () => owner.ask(inviteToOrg, { orgOid: org.orgOid, emails: 'a@example.org', role: 'member' });
  for (let tries = 0; tries < 10; tries++) assert.equal((await once()).invited.length, 1);
  assert.match((await once()).refused[0]?.message ?? '', /Too many attempts/);
});

test('members and open invitations together never exceed the plan', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  await join();
  const emails = Array.from({ length: units }, (_, index) => `p${index}@example.org`).join(',');
  const { invited: sent, refused } = await owner.ask(inviteToOrg, { orgOid, emails, role: 'member' });
  assert.equal(sent.length, units - 2);
  assert.equal(refused[0]?.message, `The plan carries ${units} members. Please buy more units first.`);
  assert.equal((await owner.refusal(inviteToOrg, { orgOid, emails: 'more@example.org', role: 'member' })).errorCode, 756);
  assert.deepEqual((await owner.ask(inviteToOrg, { orgOid, emails: 'p0@example.org', role: 'admin' })).invited, ['p0@example.org']);
});

test('of many people invited at the same moment only as many are invited as there is room for', async (t) => {
  const { owner, org } = await orgApp(t);
  const one = (index: number) => owner.send(inviteToOrg, { orgOid: org.orgOid, emails: `p${index}@example.org`, role: 'member' });
  const answers = await Promise.all(Array.from({ length: units + 3 }, (_, index) => one(index)));
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, units - 1);
});

test('of two who accept the last place at the same moment one gets in, and the other when there is room again', async (t) => {
  const app = await orgApp(t);
  const { owner, org, invite, services } = app;
  const { orgOid } = org;
  const guests = [await app.signUp(), await app.signUp()];
  for (const { email } of guests) await invite(email);
  const tokens = await Promise.all(guests.map(({ email }) => mailedToken(app, email, page)));
  const { db } = services.database;
  await db.updateTable('subscription').set({ units: 2 }).where('payerId', '=', orgOid).execute();
  const answers = await Promise.all(guests.map((guest, index) => guest.send(acceptOrgInvitation, { token: tokens[index] ?? '' })));
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 409],
  );
  const late = answers[0]?.statusCode === 409 ? 0 : 1;
  assert.equal(answers[late]?.json<{ errorCode: number }>().errorCode, 756);
  assert.equal((await owner.ask(listOrgMembers, { orgOid })).members.filter(({ isInvited }) => !isInvited).length, 2);
  await db.updateTable('subscription').set({ units: 3 }).where('payerId', '=', orgOid).execute();
  await guests[late]?.ask(acceptOrgInvitation, { token: tokens[late] ?? '' });
});

test('one invitation accepted twice at the same moment creates one membership', async (t) => {
  const { guest, token, owner, org } = await invited(t);
  const answers = await Promise.all([1, 2, 3].map(() => guest.send(acceptOrgInvitation, { token })));
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1);
  assert.equal((await owner.ask(listOrgMembers, { orgOid: org.orgOid })).members.length, 2);
});

test('an invitation that is rewritten while it is being accepted counts as it is now', async (t) => {
  const app = await orgApp(t);
  const { owner, org, invite, services } = app;
  const { db } = services.database;
  const store = createInvitationStore(db);
  const { orgOid } = org;
  const accepted = async (user: User) => {
    const [seen] = await store.listFor(user.email, now());
    assert.ok(seen);
    return { seen, accept: () => store.accept(seen, `membership of ${user.userId}`, 5, { actorId: user.userId, at: now() }) };
  };
  const [noor, ilse] = [await app.signUp(), await app.signUp()];
  await invite(noor.email, 'admin');
  const first = await accepted(noor);
  await owner.ask(changeOrgMember, { orgOid, memberId: first.seen.id, role: 'member' });
  assert.equal(await first.accept(), 'joined');
  await invite(ilse.email, 'admin');
  const second = await accepted(ilse);
  await invite(ilse.email, 'member');
  assert.equal(await second.accept(), 'spent');
  const { members } = await owner.ask(listOrgMembers, { orgOid });
  assert.deepEqual(
    members.map(({ role, isInvited }) => [role, isInvited]),
    [
      ['owner', false],
      ['member', false],
      ['member', true],
    ],
  );
});

test('an organisation whose plan has ended admits nobody', async (t) => {
  const { guest, token, owner, org, services } = await invited(t);
  const { db } = services.database;
  await db.updateTable('subscription').set({ state: 'expired', endsAt: 1 }).where('payerId', '=', org.orgOid).execute();
  assert.equal((await guest.refusal(acceptOrgInvitation, { token })).errorCode, 757);
  assert.equal((await owner.refusal(inviteToOrg, { orgOid: org.orgOid, emails: 'x@example.org', role: 'member' })).errorCode, 757);
  const members = await owner.ask(listOrgMembers, { orgOid: org.orgOid });
  assert.deepEqual([members.planName, members.planMembers], ['', '0']);
});
