import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  acceptOrgInvitation,
  addGoogleCloudLink,
  completeLinkAuth,
  emailLogin,
  googleCloudFormPath,
  inviteToOrg,
  linkAuthUrl,
  linkOutcomePath,
  listAudit,
  listOrgLinks,
  manageCalls,
  orgManageCalls,
  removeOrgMember,
  showOrg,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { rowsOf } from '#/testing/links.ts';
import { mailedToken } from '#/testing/outbox.ts';
import { type DriveApp, answerIn, driveApp, finishAt, follow, mara, noor, startPath } from '#/testing/storages/drive.ts';

const failed = linkOutcomePath('unexpectederror');
const orgPath = (query: Readonly<Record<string, string>>): string => startPath(query).replace('/linkwebservice', '/orglinkwebservice');

async function organisation(t: TestContext) {
  const app = await driveApp(t);
  const owner = app.user;
  const { org } = await owner.ask(showOrg, { trialDays: 7, orgName: 'Acme' });
  const { orgOid, orgMembershipOid } = org;
  const member = await app.signUp();
  await owner.ask(inviteToOrg, { orgOid, emails: member.email, role: 'member' });
  const joined = await member.ask(acceptOrgInvitation, { token: await mailedToken(app, member.email, '/invitation/org') });
  const memberId = joined.org.orgMembershipOid;
  const as = (user: User): DriveApp => ({ ...app, user });
  const begin = (user: User, query: Readonly<Record<string, string>> = {}) => follow(user, orgPath({ orgOid, ...query }));
  return {
    ...app,
    owner,
    member,
    orgOid,
    orgMembershipOid,
    memberId,
    as,
    begin,
    /** The whole authorization, by one of its members. */
    authorize: async (user: User, query: Readonly<Record<string, string>> = {}, account = mara) =>
      finishAt(as(user), await begin(user, query), account),
    remove: () => owner.ask(removeOrgMember, { orgOid, memberId }),
    rows: async () => (await owner.ask(listOrgLinks, { orgOid })).activeSources.flatMap(({ links }) => links),
  };
}

test('a member links for the organisation by authorization, at its own address and by the plain one with its orgOid [RT-077]', async (t) => {
  const { member, owner, authorize, rows, as, orgOid, services } = await organisation(t);
  assert.match(await authorize(member), /^\/browseorg\/My%20Dropbox\?orgMembershipOid=/);
  const second = await follow(member, startPath({ orgOid, redirectUrl: '/links?orgOid=x' }));
  assert.equal(await finishAt(as(member), second, noor), '/links?orgOid=x');
  const links = await rows();
  assert.deepEqual(
    links.map(({ name, sourceAccountName, isOrganization, state }) => [name, sourceAccountName, isOrganization, state]),
    [
      ['My Dropbox', 'Org', true, 'ok'],
      ['My Dropbox 2', 'Org', true, 'ok'],
    ],
  );
  const [first] = links;
  assert.ok(first);
  const { connector } = await services.access.open(owner.userId, first.userLinkId);
  assert.equal((await connector.stat('/', { signal: AbortSignal.timeout(10_000) })).kind, 'folder');
  const { entries } = await owner.ask(listAudit, { orgOid, limit: 1 });
  assert.deepEqual([entries[0]?.action, entries[0]?.actorId], ['link.add', member.userId]);
});

test('an account is a duplicate among the links of the organisation, not among those of its members', async (t) => {
  const { member, authorize, as } = await organisation(t);
  assert.equal(await finishAt(as(member), await follow(member, startPath()), mara), '/browse/My%20Dropbox');
  assert.match(await authorize(member), /^\/browseorg\/My%20Dropbox\?orgMembershipOid=/);
  assert.equal(await authorize(member), linkOutcomePath('duplicate'));
});

test('a user who is no longer a member when the provider answers links nothing, and the grant is revoked [SEC-11]', async (t) => {
  const app = await organisation(t);
  const { member, begin, remove, rows, as, drive, services } = app;
  const away = await begin(member);
  await remove();
  assert.equal(await finishAt(as(member), away), failed);
  assert.deepEqual(await rows(), []);
  assert.deepEqual(await rowsOf(member), []);
  await services.background.idle();
  assert.ok(drive.simulator.requests.some(({ path }) => path === '/auth/revoke'));
});

test('an attempt belongs to its session, its account and its organisation', async (t) => {
  const { member, owner, begin, drive, visitor, rows } = await organisation(t);
  const answer = answerIn(await drive.oauth.visit(await begin(member), mara));
  assert.equal((await owner.ask(completeLinkAuth, answer)).url, failed);
  const elsewhere = visitor();
  await elsewhere.ask(emailLogin, { email: member.email, password: member.password });
  assert.equal((await elsewhere.ask(completeLinkAuth, answer)).url, failed);
  // The answer names no organisation: the attempt stores it.
  assert.deepEqual(Object.keys(answer).toSorted(), ['code', 'state']);
  const { url } = await member.ask(completeLinkAuth, { ...answer, orgOid: 'another' } as typeof answer);
  assert.match(url, /^\/browseorg\/My%20Dropbox\?orgMembershipOid=/);
  assert.equal((await rows()).length, 1);
  assert.deepEqual(
    (await rowsOf(member)).map(({ isOrganization }) => isOrganization),
    [true],
  );
});

test('users who are not members begin nothing for an organisation and none of its links, whichever address they use [SEC-11]', async (t) => {
  const { member, authorize, rows, signUp, orgOid } = await organisation(t);
  await authorize(member);
  const [link] = await rows();
  assert.ok(link);
  const stranger = await signUp();
  const refused = '/linkprocessing/requesterror?reason=nolink&provider=Dropbox';
  const { userLinkId } = link;
  for (const path of [orgPath({ orgOid }), startPath({ orgOid }), orgPath({ orgOid, userLinkId }), startPath({ userLinkId })])
    assert.equal(await follow(stranger, path), refused, path);
  assert.equal((await stranger.refusal(linkAuthUrl, { linkUri: link.linkUri })).errorCode, 351);
  // A link of the organisation cannot be reauthorized as one's own.
  assert.equal(await follow(member, startPath({ userLinkId })), refused);
});

test('a member authorizes a link of the organisation again, by its row and from its files, with the same account only', async (t) => {
  const { member, owner, authorize, rows, as, drive, orgOid } = await organisation(t);
  await authorize(owner);
  const [link] = await rows();
  assert.ok(link);
  drive.oauth.revokeAccount(mara.email);
  assert.equal(await authorize(member, { userLinkId: link.userLinkId, redirectUrl: '/x' }), '/x');
  const { url } = await member.ask(linkAuthUrl, { linkUri: `${link.linkUri}/folder`, redirectUrl: '/browseorg/x' });
  assert.equal(await finishAt(as(member), url), '/browseorg/x');
  assert.equal(await authorize(member, { userLinkId: link.userLinkId }, noor), linkOutcomePath('mismatch'));
  assert.equal((await rows()).length, 1);
  const { entries } = await owner.ask(listAudit, { orgOid, limit: 2 });
  assert.deepEqual(
    entries.map(({ action, actorId }) => [action, actorId]),
    [
      ['link.authorize', member.userId],
      ['link.authorize', member.userId],
    ],
  );
});

test('a link made by authorization is checked and renamed for the organisation [API-08] [API-10] [SEC-06] [SEC-07]', async (t) => {
  const { member, authorize, rows, signUp, orgOid, memberId } = await organisation(t);
  await authorize(member);
  const [link] = await rows();
  assert.ok(link);
  const wish = { userLinkId: link.userLinkId, serverName: 'Work', orgOid };
  assert.deepEqual(await member.ask(orgManageCalls.validate, wish), { isValid: true });
  const saved = await member.ask(orgManageCalls.update, wish);
  assert.deepEqual([saved.linkName, saved.browseUrl], ['Work', `/browseorg/Work?orgMembershipOid=${memberId}`]);
  assert.equal((await member.ask(manageCalls.update, { ...wish, serverName: 'Films' })).linkName, 'Films');
  const stranger = await signUp();
  for (const call of [...Object.values(orgManageCalls), ...Object.values(manageCalls)]) {
    assert.equal((await stranger.refusal(call, wish)).errorCode, 351, call.path);
    assert.equal(
      (await member.refusal(call, { userLinkId: link.userLinkId })).errorCode,
      call.path.includes('for_org') ? 107 : 351,
      call.path,
    );
  }
});

test('a bucket is linked for the organisation that its grant waits for, and for no other', async (t) => {
  const { member, owner, authorize, rows, orgOid, orgMembershipOid, remove } = await organisation(t);
  const query = { sourceType: 'GoogleCloud', providerName: 'GoogleCloud', buildRedirectUrl: 'true' };
  const waiting = async (user: User): Promise<string> => {
    const end = new URL(await authorize(user, query), 'http://x');
    assert.deepEqual([end.pathname, end.searchParams.get('orgOid')], [googleCloudFormPath, orgOid]);
    return end.searchParams.get('stateId') ?? '';
  };
  const stateId = await waiting(owner);
  assert.equal((await owner.refusal(addGoogleCloudLink, { stateId, bucketName: 'photos' })).errorCode, 731);
  assert.equal((await member.refusal(addGoogleCloudLink, { stateId, bucketName: 'photos', orgOid })).errorCode, 731);
  const saved = await owner.ask(addGoogleCloudLink, { stateId, bucketName: 'photos', name: 'Photos', orgOid });
  assert.equal(saved.browseUrl, `/browseorg/Photos?orgMembershipOid=${orgMembershipOid}`);
  assert.equal((await rows()).length, 1);
  assert.equal((await owner.refusal(addGoogleCloudLink, { stateId: await waiting(owner), bucketName: 'photos', orgOid })).errorCode, 420);

  const late = await waiting(member);
  await remove();
  assert.equal((await member.refusal(addGoogleCloudLink, { stateId: late, bucketName: 'films', orgOid })).errorCode, 351);
  assert.equal((await member.refusal(addGoogleCloudLink, { stateId: late, bucketName: 'films' })).errorCode, 731);
  const key = JSON.stringify({ type: 'service_account', private_key: 'k' });
  assert.equal((await member.refusal(addGoogleCloudLink, { serviceAccountKey: key, bucketName: 'films', orgOid })).errorCode, 351);
  await owner.ask(addGoogleCloudLink, { serviceAccountKey: key, bucketName: 'films', orgOid });
  assert.equal((await rows()).length, 2);
});

test('closing an organisation revokes its grants', async (t) => {
  const { owner, authorize, orgOid, drive, services } = await organisation(t);
  await authorize(owner);
  await services.orgs.close(owner.userId, orgOid, 'Acme');
  await services.background.idle();
  assert.equal(drive.simulator.requests.filter(({ path }) => path === '/auth/revoke').length, 1);
});
