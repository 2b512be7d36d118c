import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type Call,
  addFolder,
  addOrgFolder,
  archive,
  changeOrgMember,
  closeOrg,
  createWeblink,
  deleteObject,
  deleteOrgLink,
  deleteOrgObject,
  download,
  exportAudit,
  familyCalls,
  getDefaultSourceName,
  getLinkConnectionInfo,
  getMetadata,
  getMore,
  getOrgBilling,
  getOrgLinkConnectionInfo,
  getOrgReceipt,
  getOrgSubscription,
  inviteToOrg,
  leaveOrg,
  linkUriOf,
  listAudit,
  listOrgLinks,
  listOrgMembers,
  orgFamilyCalls,
  purchaseOrg,
  purchaseOrgUnits,
  refundOrg,
  remoteUpdate,
  removeOrgMember,
  renameObject,
  renameOrg,
  renameOrgObject,
  resolvePath,
  secretMask,
  setOrgAutoRenew,
  showOrg,
  thumbnail,
  transferOrg,
  updateOrgBilling,
  upload,
} from '@sheaf/contract';
import type { Visitor } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo, s3Info, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';

const roles = ['owner', 'admin', 'member', 'removed', 'invited', 'owner of another', 'stranger', 'signed out'] as const;
type Role = (typeof roles)[number];
type Outcomes = Readonly<Record<Role, number>>;

/** Expected answers per role: for members with the right, without it, and for non-members. */
const forMembers = (allowed: number, outside: number): Outcomes => outcomes({ owner: allowed, admin: allowed, member: allowed }, outside);
const outcomes = (inside: Pick<Outcomes, 'owner' | 'admin' | 'member'>, outside: number): Outcomes => ({
  ...inside,
  removed: outside,
  invited: outside,
  'owner of another': outside,
  stranger: outside,
  'signed out': 104,
});
const forManagers = (allowed: number): Outcomes => outcomes({ owner: allowed, admin: allowed, member: 753 }, 758);
const forOwner = (allowed: number): Outcomes => outcomes({ owner: allowed, admin: 753, member: 753 }, 758);

/** 200 for success; otherwise the errorCode. */
async function answerTo<C extends Call>(who: Visitor, call: C, input: Record<string, unknown>): Promise<number> {
  const response = await who.send(call, input as never);
  if (response.statusCode === 200) return 200;
  return response.json<{ errorCode: number }>().errorCode;
}

async function organisation(t: TestContext) {
  const app = await orgApp(t);
  const { owner, org, source, join, invite, signUp, visitor } = app;
  const { orgOid } = org;
  source.put('/Films/a.txt', 'a');
  const [admin, member, removed] = [await join('admin'), await join(), await join()];
  await owner.ask(removeOrgMember, { orgOid, memberId: removed.membershipOid });
  const invited = await signUp();
  await invite(invited.email);
  const [other, stranger] = [await signUp(), await signUp()];
  const { org: another } = await other.ask(showOrg, { trialDays: 7, orgName: 'Another' });
  const people: Readonly<Record<Role, Visitor>> = {
    owner,
    admin,
    member,
    removed,
    invited,
    'owner of another': other,
    stranger,
    'signed out': visitor(),
  };
  const memberOids: Readonly<Record<Role, string>> = {
    owner: org.orgMembershipOid,
    admin: admin.membershipOid,
    member: member.membershipOid,
    removed: removed.membershipOid,
    invited: org.orgMembershipOid,
    'owner of another': another.orgMembershipOid,
    stranger: org.orgMembershipOid,
    'signed out': org.orgMembershipOid,
  };
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid, linkName: 'NAS' }));
  return { ...app, orgOid, people, memberOids, userLinkId };
}

test('who may do what in an organisation, call by call [SEC-11]', async (t) => {
  const { orgOid, people } = await organisation(t);
  // Allowed calls carry an invalid input and are recognised by its error code: no row changes anything for the next.
  const table: readonly (readonly [Call, Record<string, unknown>, Outcomes])[] = [
    [listOrgLinks, {}, forMembers(200, 758)],
    [listOrgMembers, {}, forManagers(200)],
    [renameOrg, { newName: 'a/b' }, forManagers(222)],
    [inviteToOrg, { emails: '', role: 'member' }, forManagers(107)],
    [changeOrgMember, { memberId: 'nobody', role: 'member' }, forManagers(771)],
    [removeOrgMember, { memberId: 'nobody' }, forManagers(771)],
    [listAudit, {}, forManagers(200)],
    [exportAudit, {}, forManagers(200)],
    [transferOrg, { memberId: 'nobody' }, forOwner(771)],
    [closeOrg, { name: 'wrong' }, forOwner(107)],
    [getOrgSubscription, {}, forOwner(200)],
    [purchaseOrg, { recurlyPlan: 'none', units: 5 }, forOwner(107)],
    [purchaseOrgUnits, { units: 0 }, forOwner(107)],
    [refundOrg, {}, forOwner(107)],
    [setOrgAutoRenew, { autoRenew: true }, forOwner(107)],
    [getOrgBilling, {}, forOwner(200)],
    [getOrgReceipt, { invoiceId: 'none' }, forOwner(720)],
    [updateOrgBilling, { recurlyBillingToken: 'none' }, forOwner(611)],
  ];
  for (const [call, input, expected] of table) {
    for (const role of roles)
      assert.equal(await answerTo(people[role], call, { orgOid, ...input }), expected[role], `${call.path} as ${role}`);
  }
  for (const role of roles.slice(3, 7)) assert.equal(await answerTo(people[role], leaveOrg, { orgOid }), 758, role);
  assert.equal(await answerTo(people.owner, leaveOrg, { orgOid }), 770);
});

test('who may link, check, change and unlink for an organisation, by the named variants and by every plain call with its orgOid [SEC-06] [SEC-07] [SEC-08] [SEC-11] [LNK-49] [API-05] [API-19] [API-27] [API-29] [API-31] [S3-29] [S3-30] [S3-31]', async (t) => {
  const { orgOid, people, userLinkId, services } = await organisation(t);
  const s3 = draftOf(s3Info, { provider: 'S3', continueAnyway: true });
  const rows: [Call, Record<string, unknown>][] = [
    [getOrgLinkConnectionInfo, { userLinkId }],
    [getLinkConnectionInfo, { userLinkId }],
    [getDefaultSourceName, { sourceType: 'SFTP' }],
    [orgFamilyCalls.s3.add, s3],
    [familyCalls.s3.add, s3],
    [familyCalls.ftp.add, draftOf(ftpInfo)],
    [familyCalls.webdav.add, draftOf(davInfo)],
    [familyCalls.sheafgateway.add, draftOf({ server: 'https://g.example', authjson: '{}' })],
    [familyCalls.ofs.add, draftOf({ server: 'files.example', username: 'mara', password: 'x' })],
    [familyCalls.oracledocuments.add, draftOf({ url: 'https://o.example', username: 'mara', password: 'x' })],
    [familyCalls.sftp.update, { userLinkId, linkName: 'NAS' }],
  ];
  for (const [call, input] of rows) {
    for (const role of roles)
      assert.equal(
        await answerTo(people[role], call, { continueAnyway: true, ...input, orgOid }),
        forMembers(200, 351)[role],
        `${call.path} as ${role}`,
      );
  }
  const { db } = services.database;
  const owners = await db.selectFrom('link').select('accountId').execute();
  assert.ok(owners.every(({ accountId }) => accountId === orgOid));
  // Checks warn about an existing link; the test is about who sees the warning.
  for (const [call, input] of [
    [orgFamilyCalls.s3.verify, s3],
    [familyCalls.s3.verify, s3],
    [familyCalls.ftp.validate, draftOf(ftpInfo)],
    [familyCalls.sftp.validate, draftOf(sftpInfo, { userLinkId })],
  ] as const) {
    for (const role of roles) {
      const answer = await answerTo(people[role], call, { ...input, orgOid });
      if (role === 'owner' || role === 'admin' || role === 'member')
        assert.ok(answer === 200 || answer === 420, `${call.path} as ${role}: ${answer}`);
      else assert.equal(answer, role === 'signed out' ? 104 : 351, `${call.path} as ${role}`);
    }
  }
  const bucket = await db.selectFrom('link').select('id').where('provider', '=', 'S3').executeTakeFirstOrThrow();
  for (const role of roles)
    assert.equal(
      await answerTo(people[role], orgFamilyCalls.s3.update, { ...s3, userLinkId: bucket.id, orgOid }),
      forMembers(200, 351)[role],
      role,
    );
  const doomed = await db.selectFrom('link').select('id').where('provider', '=', 'FTP').execute();
  for (const role of roles.toReversed()) {
    const answer = await answerTo(people[role], deleteOrgLink, { userLinkId: doomed.at(-1)?.id ?? userLinkId, orgOid });
    assert.equal(answer, forMembers(200, 351)[role], role);
    if (answer === 200) doomed.pop();
  }
});

test("without orgOid the plain calls concern the user's own links only, and the named variants need it [SEC-09]", async (t) => {
  const { people, userLinkId, orgOid } = await organisation(t);
  for (const role of ['owner', 'member'] as const) {
    assert.equal(await answerTo(people[role], getLinkConnectionInfo, { userLinkId }), 351, role);
    assert.equal(await answerTo(people[role], familyCalls.sftp.update, { userLinkId, linkName: 'Mine' }), 351, role);
    for (const call of [getOrgLinkConnectionInfo, deleteOrgLink, orgFamilyCalls.s3.update, orgFamilyCalls.s3.verify])
      assert.equal(await answerTo(people[role], call, { userLinkId, ...draftOf(s3Info) }), 107, call.path);
  }
  const own = await answerTo(people.member, familyCalls.sftp.add, draftOf({ ...sftpInfo, server: 'own.example' }, { linkName: 'Own' }));
  assert.equal(own, 200);
  assert.equal(await answerTo(people.owner, getOrgLinkConnectionInfo, { userLinkId: 'none', orgOid }), 351);
});

test('who can use the files of an organisation, with a membership and without [BRW-25] [BRW-26] [BRW-27] [API-49] [API-51] [API-53]', async (t) => {
  const { people, memberOids, userLinkId } = await organisation(t);
  const uri = (path: string) => linkUriOf(userLinkId, path);
  const view = { sort: 'name', order: 'asc' };
  const table: readonly (readonly [Call, Record<string, unknown>, boolean])[] = [
    [remoteUpdate, { linkUri: uri('/'), ...view }, true],
    [getMore, { linkUri: uri('/'), ...view }, true],
    [resolvePath, { path: 'NAS/Films' }, true],
    [getMetadata, { linkUri: uri('/Films') }, true],
    [addOrgFolder, { parentLinkUri: uri('/Films'), folderName: 'New' }, true],
    [renameOrgObject, { linkUri: uri('/Films/a.txt'), newName: 'a.txt' }, true],
    [deleteOrgObject, { linkUri: uri('/Films/New') }, true],
    [getMetadata, { linkUri: uri('/Films/a.txt') }, false],
    [addFolder, { parentLinkUri: uri('/Films'), folderName: 'More' }, false],
    [renameObject, { linkUri: uri('/Films/a.txt'), newName: 'a.txt' }, false],
    [deleteObject, { linkUri: uri('/Films/More') }, false],
    [download, { linkUri: uri('/Films/a.txt') }, false],
    [archive, { linkUri: [uri('/Films')] }, false],
    [upload, { parentLinkUri: uri('/Films'), name: 'b.txt', conflict: 'replace' }, false],
  ];
  for (const role of roles) {
    for (const [call, input, isOfMember] of table) {
      const answer = await answerTo(people[role], call, { ...input, ...(isOfMember && { memberOid: memberOids[role] }) });
      assert.equal(answer, forMembers(200, 351)[role], `${call.path} as ${role}`);
    }
    const share = await answerTo(people[role], createWeblink, { linkUri: uri('/Films/a.txt') });
    assert.equal(share, forMembers(200, 415)[role], `share as ${role}`);
    const picture = await answerTo(people[role], thumbnail, { linkUri: uri('/Films/a.txt') });
    assert.ok(role === 'owner' || role === 'admin' || role === 'member' ? picture !== 351 : picture === 351 || picture === 104, role);
  }
  // A membership is valid for its own holder only.
  const borrowed = { linkUri: uri('/'), memberOid: memberOids.owner };
  assert.equal(await answerTo(people.member, getMetadata, borrowed), 351);
  for (const call of [addOrgFolder, renameOrgObject, deleteOrgObject])
    for (const memberOid of [undefined, ''])
      assert.equal(
        await answerTo(people.member, call, { linkUri: uri('/x'), parentLinkUri: uri('/'), folderName: 'x', newName: 'x', memberOid }),
        107,
      );
});

test("a membership opens its own organisation only, not the user's own links and not another organisation of the same user", async (t) => {
  const { people, memberOids, userLinkId, org } = await organisation(t);
  const other = people['owner of another'];
  const { data } = (await other.send(familyCalls.sftp.add, draftOf(sftpInfo, { linkName: 'NAS' }))).json<{
    data: { userLinkId: string };
  }>();
  const memberOid = memberOids['owner of another'];
  const own = { linkUri: linkUriOf(data.userLinkId, '/') };
  assert.equal(await answerTo(other, getMetadata, own), 200);
  assert.equal(await answerTo(other, getMetadata, { ...own, memberOid }), 351);
  assert.equal(await answerTo(other, resolvePath, { path: 'NAS', memberOid }), 351);
  assert.equal(await answerTo(other, getMetadata, { linkUri: linkUriOf(userLinkId, '/'), memberOid: org.orgMembershipOid }), 351);
});

test('no answer to a member holds a secret of the organisation', async (t) => {
  const { people, userLinkId, orgOid } = await organisation(t);
  for (const role of ['owner', 'admin', 'member'] as const) {
    const answer = await people[role].send(getOrgLinkConnectionInfo, { userLinkId, orgOid });
    assert.equal(answer.json<{ data: { connectionInfo: Record<string, string> } }>().data.connectionInfo['password'], secretMask);
    assert.ok(!answer.body.includes(sftpInfo.password));
  }
});
