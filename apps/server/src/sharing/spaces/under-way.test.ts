import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acceptOrgInvitation,
  changeOrgMember,
  changeSpaceMember,
  createSpace,
  familyCalls,
  getMetadata,
  inviteToOrg,
  leaveSpace,
  linkUriOf,
  listOrgMembers,
  listSpaceMembers,
  removeOrgMember,
  showOrg,
  updateSpace,
  updateSpaceLink,
} from '@sheaf/contract';
import { draftOf, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';
import { mailedToken } from '#/testing/outbox.ts';
import { join, spaceApp } from '#/testing/spaces.ts';
import { uploading } from '#/testing/under-way.ts';

test('an upload into a space continues while the space, or the link to it, is renamed, and while other memberships change', async (t) => {
  const app = await spaceApp(t);
  const { user, space, storageId } = app;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await join(app, space, noor, 'editor');
  const { space: other } = await user.ask(createSpace, { storageLinkUri: linkUriOf(storageId, '/projects/team2'), spaceName: 'Other' });
  await join(app, other, noor, 'viewer');
  const { written, goOn } = await uploading(app, noor, userLinkId);

  await user.ask(updateSpace, { spaceOid: space.spaceOid, spaceName: 'Crew', description: 'What we do' });
  await noor.ask(updateSpaceLink, { userLinkId, spaceName: 'Mine' });
  await noor.ask(leaveSpace, { spaceOid: other.spaceOid });
  const { orgOid } = (await user.ask(showOrg, { orgName: 'Acme' })).org;
  await user.ask(inviteToOrg, { orgOid, emails: noor.email, role: 'member' });
  await noor.ask(acceptOrgInvitation, { token: await mailedToken(app, noor.email, '/invitation/org') });
  const { members } = await user.ask(listOrgMembers, { orgOid });
  const memberId = members.find(({ email }) => email === noor.email)?.memberId ?? '';
  await user.ask(changeOrgMember, { orgOid, memberId, role: 'admin' });
  await user.ask(removeOrgMember, { orgOid, memberId });
  await noor.ask(getMetadata, { linkUri: linkUriOf(userLinkId, '/plan.txt') });

  goOn();
  await written;
  assert.ok(await noor.ask(getMetadata, { linkUri: linkUriOf(userLinkId, '/late.txt') }));
  const refusal = await noor.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/none.txt') });
  assert.equal(refusal.errorCode, 701);
});

test('a member who becomes a viewer during an upload is told so, not that the storage did not answer', async (t) => {
  const app = await spaceApp(t);
  const { user, space } = app;
  const noor = await app.signUp('noor@example.org');
  const { userLinkId } = await join(app, space, noor, 'editor');
  const { members } = await user.ask(listSpaceMembers, { spaceOid: space.spaceOid });
  const memberId = members.find(({ email }) => email === noor.email)?.memberId ?? '';
  const { written, goOn } = await uploading(app, noor, userLinkId);
  await user.ask(changeSpaceMember, { spaceOid: space.spaceOid, memberId, role: 'viewer' });
  goOn();
  await assert.rejects(written, { messageCode: 'ROLE_FORBIDS' });
});

test('a removed member loses running transfers of the organisation’s links at once, and nothing else', async (t) => {
  const app = await orgApp(t);
  const { owner, org, join: joinOrg } = app;
  const { orgOid } = org;
  const member = await joinOrg();
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid }));
  const { written, goOn } = await uploading(app, member, userLinkId);
  await owner.ask(removeOrgMember, { orgOid, memberId: member.membershipOid });
  goOn();
  await assert.rejects(written, { messageCode: 'INVALID_LINK_URI' });
  app.source.setGate(() => undefined);
  assert.equal((await owner.refusal(getMetadata, { linkUri: linkUriOf(userLinkId, '/late.txt') })).errorCode, 701);
});

test('a space in a link of an organisation closes for its members when its owner is removed from the organisation, uploads under way included', async (t) => {
  const app = await orgApp(t, { settings: { SHEAF_BILLING: 'off' } });
  const { owner, org, join: joinOrg } = app;
  const host = await joinOrg();
  const { userLinkId: storageId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid: org.orgOid }));
  app.source.put('/team/plan.txt', 'the plan');
  const { space } = await host.ask(createSpace, { storageLinkUri: linkUriOf(storageId, '/team'), spaceName: 'Team' });
  const guest = await app.signUp('guest@example.org');
  const { userLinkId } = await join({ ...app, user: host }, space, guest, 'editor');
  const { written, goOn } = await uploading(app, guest, userLinkId);
  await owner.ask(removeOrgMember, { orgOid: org.orgOid, memberId: host.membershipOid });
  goOn();
  await assert.rejects(written);
  app.source.setGate(() => undefined);
  assert.equal((await owner.refusal(getMetadata, { linkUri: linkUriOf(storageId, '/team/late.txt') })).errorCode, 701);
});
