import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  allLinks,
  createWeblink,
  deleteLink,
  deleteOrgLink,
  downloadWeblink,
  familyCalls,
  getDefaultSourceName,
  getLinkConnectionInfo,
  getOrgLinkConnectionInfo,
  getWeblinks,
  inviteToOrg,
  acceptOrgInvitation,
  linkUriOf,
  listAudit,
  listOrgLinks,
  orgFamilyCalls,
  removeOrgMember,
  resolvePath,
  secretMask,
  completeHandoff,
  showOrg,
  startHandoff,
} from '@sheaf/contract';
import { addSftp, davInfo, draftOf, ftpInfo, rowsOf, s3Info, sftpInfo } from '#/testing/links.ts';
import { orgApp } from '#/testing/orgs.ts';
import { mailedToken } from '#/testing/outbox.ts';

test('My links has the links of the own organisations under a heading of their own, marked and with addresses of their own [LNK-39] [LNK-48] [RT-058] [RT-059]', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const member = await join();
  await addSftp(member, 'Own');
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid, linkName: 'Film & Ton' }));
  await owner.ask(familyCalls.webdav.add, draftOf(davInfo, { orgOid, linkName: 'Cloud' }));
  const { activeSources } = await member.ask(allLinks, {});
  assert.deepEqual(
    activeSources.map(({ sourceType, title, links }) => [sourceType, title, links.map(({ name }) => name)]),
    [
      ['SFTP', 'SFTP', ['Own']],
      ['Org', 'Organisation', ['Cloud', 'Film & Ton']],
    ],
  );
  const row = activeSources[1]?.links[1];
  assert.deepEqual(
    [row?.userLinkId, row?.sourceAccountName, row?.isOrganization, row?.provider, row?.formType, row?.browseUrl],
    [userLinkId, 'Org', true, 'SFTP', 'SFTP', `/browseorg/Film%20%26%20Ton?orgMembershipOid=${member.membershipOid}`],
  );
  assert.equal(activeSources[0]?.links[0]?.browseUrl, '/browse/Own');
  const ofOwner = (await rowsOf(owner)).find((link) => link.userLinkId === userLinkId);
  assert.equal(ofOwner?.browseUrl, `/browseorg/Film%20%26%20Ton?orgMembershipOid=${org.orgMembershipOid}`);
});

test("the organisation's list has the same rows under the headings of their types", async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const member = await join();
  await addSftp(owner, 'Own');
  await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid, linkName: 'NAS' }));
  const { activeSources } = await member.ask(listOrgLinks, { orgOid });
  assert.deepEqual(
    activeSources.map(({ sourceType, title }) => [sourceType, title]),
    [['SFTP', 'SFTP']],
  );
  const [row] = activeSources[0]?.links ?? [];
  assert.deepEqual(row, (await rowsOf(member))[0]);
});

test('a link that is saved for an organisation leads into its own view, in the gallery where its provider is one for photos [RT-059] [S3-26] [S3-30] [S3-31]', async (t) => {
  const { owner, org, services } = await orgApp(t);
  const { orgOid, orgMembershipOid } = org;
  const saved = await owner.ask(orgFamilyCalls.s3.add, draftOf(s3Info, { orgOid, provider: 'S3', linkName: 'Bucket' }));
  assert.equal(saved.browseUrl, `/browseorg/Bucket?orgMembershipOid=${orgMembershipOid}`);
  const renamed = await owner.ask(orgFamilyCalls.s3.update, { orgOid, userLinkId: saved.userLinkId, linkName: 'Store' });
  assert.equal(renamed.browseUrl, `/browseorg/Store?orgMembershipOid=${orgMembershipOid}`);
  await services.database.db.updateTable('link').set({ provider: 'Instagram' }).execute();
  assert.equal((await rowsOf(owner))[0]?.browseUrl, `/browsegalleryorg/Store?orgMembershipOid=${orgMembershipOid}`);
});

test('links of one name in two organisations are distinguished, and each is found by its own membership', async (t) => {
  const app = await orgApp(t);
  const { owner, org, signUp, source } = app;
  source.put('/a.txt', 'a');
  const other = await signUp();
  const { org: films } = await other.ask(showOrg, { trialDays: 7, orgName: 'Films' });
  await other.ask(inviteToOrg, { orgOid: films.orgOid, emails: owner.email, role: 'member' });
  const token = await mailedToken(app, owner.email, '/invitation/org');
  const joined = await owner.ask(acceptOrgInvitation, { token });
  await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid: org.orgOid, linkName: 'NAS' }));
  await other.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid: films.orgOid, linkName: 'nas' }));
  await addSftp(owner, 'NAS');
  const rows = await rowsOf(owner);
  assert.deepEqual(
    rows.map(({ disambiguatedName }) => disambiguatedName),
    ['NAS', 'NAS (Acme)', 'nas (Films)'],
  );
  assert.equal(new Set(rows.map(({ userLinkId }) => userLinkId)).size, 3);
  for (const [name, memberOid] of [
    ['NAS', org.orgMembershipOid],
    ['nas', joined.org.orgMembershipOid],
  ] as const) {
    const found = await app.services.access.findByName(owner.userId, name, memberOid);
    assert.equal(found, rows.find(({ browseUrl }) => browseUrl.endsWith(memberOid))?.userLinkId);
  }
});

test('without a membership a name finds the own link first, then the only link of an organisation that it means', async (t) => {
  const app = await orgApp(t);
  const { owner, org, join, source } = app;
  const { orgOid } = org;
  source.put('/a.txt', 'a');
  const member = await join();
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid, linkName: 'NAS' }));
  const found = async (path: string) => (await member.ask(resolvePath, { path })).item.linkUri;
  assert.equal(await found('NAS/a.txt'), linkUriOf(userLinkId, '/a.txt'));
  const own = await addSftp(member, 'NAS');
  assert.equal(await found('NAS/a.txt'), linkUriOf(own.userLinkId, '/a.txt'));
  assert.equal(await found('NAS (Acme)/a.txt'), linkUriOf(userLinkId, '/a.txt'));
  const stranger = await app.signUp();
  for (const path of ['NAS', 'NAS (Acme)']) assert.equal((await stranger.refusal(resolvePath, { path })).errorCode, 351, path);
});

test("names are free or taken among the organisation's links, and the same account linked by a person is no duplicate", async (t) => {
  const { owner, org } = await orgApp(t);
  const { orgOid } = org;
  await addSftp(owner, 'My SFTP Server');
  assert.equal((await owner.ask(getDefaultSourceName, { sourceType: 'SFTP' })).linkName, 'My SFTP Server 2');
  assert.equal((await owner.ask(getDefaultSourceName, { sourceType: 'SFTP', orgOid })).linkName, 'My SFTP Server');
  assert.equal((await owner.ask(familyCalls.sftp.validate, draftOf(sftpInfo, { orgOid }))).isValid, true);
  await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid, linkName: 'My SFTP Server' }));
  const again = draftOf({ ...sftpInfo, server: 'two.example' }, { orgOid, linkName: 'my sftp server' });
  assert.equal((await owner.refusal(familyCalls.sftp.add, again)).errorCode, 421);
  assert.equal((await owner.refusal(familyCalls.sftp.validate, draftOf(sftpInfo, { orgOid }))).errorCode, 420);
});

test('a member changes and unlinks what another has linked, and the log of the organisation says who [API-05] [API-31]', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const member = await join();
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid, linkName: 'NAS' }));
  await member.ask(familyCalls.sftp.update, { orgOid, userLinkId, serverName: 'Store' });
  assert.equal((await member.refusal(deleteLink, { userLinkId })).errorCode, 351);
  await member.ask(deleteOrgLink, { userLinkId, orgOid });
  assert.deepEqual(await rowsOf(owner), []);
  const { entries } = await owner.ask(listAudit, { orgOid, limit: 3 });
  assert.deepEqual(
    entries.map(({ actorId, sentence }) => [actorId === member.userId ? 'member' : 'owner', sentence]),
    [
      ['member', 'unlinked Store'],
      ['member', 'changed the link Store'],
      ['owner', 'linked NAS'],
    ],
  );
  assert.ok((await member.ask(listAudit, { limit: 50 })).entries.every(({ action }) => !action.startsWith('link.')));
});

const leaks = [
  [familyCalls.sftp, sftpInfo, { server: 'evil.example:22' }],
  [familyCalls.sftp, sftpInfo, { username: 'root' }],
  [familyCalls.sftp, sftpInfo, { acceptedHostKey: 'SHA256:evil' }],
  [familyCalls.ftp, ftpInfo, { server: 'evil.example' }],
  [familyCalls.ftp, ftpInfo, { protocol: 'FTP' }],
  [familyCalls.ftp, ftpInfo, { enforceSSL: 'IGNORE_MATCH' }],
  [familyCalls.webdav, davInfo, { server: 'https://evil.example' }],
  [familyCalls.webdav, davInfo, { destinationUrl: 'https://evil.example/dav' }],
  [familyCalls.webdav, davInfo, { authType: 'digest' }],
  [familyCalls.s3, s3Info, { host: 'https://evil.example' }],
] as const;
test("no member obtains an organisation's secrets by pointing its link, with the mask in their place, to another server", async (t) => {
  const { owner, org, join, source } = await orgApp(t);
  const { orgOid } = org;
  const member = await join();
  for (const [calls, info, change] of leaks) {
    const { userLinkId } = await owner.ask(calls.add, draftOf(info, { orgOid, continueAnyway: true }));
    const { connectionInfo } = await member.ask(getLinkConnectionInfo, { userLinkId, orgOid });
    const before = source.lastInfo;
    const wish = { orgOid, userLinkId, continueAnyway: true };
    const checks = ['validate' in calls ? calls.validate : undefined, 'verify' in calls ? calls.verify : undefined, calls.update];
    for (const call of checks) {
      if (call === undefined) continue;
      const refusal = await member.refusal(call, draftOf({ ...connectionInfo, ...change }, wish));
      assert.deepEqual([refusal.errorCode, refusal.messageCode], [774, 'SECRETS_NEEDED'], `${call.path} ${JSON.stringify(change)}`);
    }
    assert.equal(source.lastInfo, before, 'nothing was connected');
    const secrets = Object.keys(connectionInfo).filter((field) => connectionInfo[field] === secretMask);
    const entered = Object.fromEntries(secrets.map((field) => [field, 'entered anew']));
    await member.ask(calls.update, draftOf({ ...connectionInfo, ...change, ...entered }, { ...wish, validateConnection: false }));
    await owner.ask(deleteOrgLink, { userLinkId, orgOid });
  }
});

test('settings that send no secret elsewhere are changed with the mask', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const member = await join();
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid }));
  const { connectionInfo } = await member.ask(getLinkConnectionInfo, { userLinkId, orgOid });
  const change = { numConcurrentConnections: '5', path: '/films' };
  await member.ask(familyCalls.sftp.update, draftOf({ ...connectionInfo, ...change }, { orgOid, userLinkId, continueAnyway: true }));
  const after = await member.ask(getLinkConnectionInfo, { userLinkId, orgOid });
  assert.deepEqual(after.connectionInfo, { ...connectionInfo, ...change });
});

test('fields completed by a check may be left out with the mask, as dialogs do', async (t) => {
  const { owner, org, join } = await orgApp(t);
  const { orgOid } = org;
  const member = await join();
  const { userLinkId } = await owner.ask(familyCalls.s3.add, draftOf({ ...s3Info, region: 'eu-north-1' }, { orgOid }));
  const { connectionInfo } = await member.ask(getLinkConnectionInfo, { userLinkId, orgOid });
  const { region, ...shown } = connectionInfo;
  assert.equal(region, 'eu-north-1');
  await member.ask(familyCalls.s3.verify, draftOf(shown, { orgOid, userLinkId }));
  const other = draftOf({ ...shown, region: 'evil' }, { orgOid, userLinkId });
  assert.equal((await member.refusal(familyCalls.s3.verify, other)).messageCode, 'SECRETS_NEEDED');
});

test("a member's public link and folder process over an organisation's link work as long as the membership", async (t) => {
  const app = await orgApp(t);
  const { owner, org, join, source, visitor, services } = app;
  const { orgOid } = org;
  source.put('/Films/a.txt', 'a');
  const member = await join();
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid }));
  const linkUri = linkUriOf(userLinkId, '/Films/a.txt');
  const shared = async (): Promise<string> => {
    const { sharelinkurl } = await member.ask(createWeblink, { linkUri });
    return sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
  };
  const weblinkId = await shared();
  const get = () => visitor().send(downloadWeblink, { weblinkId, path: '' });
  assert.equal((await get()).body, 'a');
  const folder = { destinationPath: '/NAS/Films', linkUri: linkUriOf(userLinkId, '/Films') };
  const one = await member.ask(startHandoff, { action: 'sync' });
  await member.ask(completeHandoff, { processToken: one.processToken, processData: JSON.stringify(folder) });
  const two = await member.ask(startHandoff, { action: 'sync' });

  await owner.ask(removeOrgMember, { orgOid, memberId: member.membershipOid });
  assert.equal((await get()).statusCode, 404);
  assert.deepEqual(await member.ask(getWeblinks, {}), []);
  const late = { processToken: two.processToken, processData: JSON.stringify(folder) };
  assert.equal((await member.refusal(completeHandoff, late)).errorCode, 351);
  const { entries } = await member.ask(listAudit, { limit: 10 });
  assert.deepEqual([entries[0]?.action, entries[0]?.name, entries[0]?.actorId], ['share.remove', 'a.txt', owner.userId]);

  await app.invite(member.email);
  await member.ask(acceptOrgInvitation, { token: await mailedToken(app, member.email, '/invitation/org') });
  assert.equal((await get()).statusCode, 404, 'a new membership does not bring the public link back');
  assert.equal((await services.access.open(member.userId, userLinkId)).userLinkId, userLinkId);
});

test('an admin who is removed while the connection is being checked neither adds nor changes a link', async (t) => {
  const app = await orgApp(t);
  const { owner, org, join, source } = app;
  const { orgOid } = org;
  const { userLinkId } = await owner.ask(familyCalls.sftp.add, draftOf(sftpInfo, { orgOid, linkName: 'NAS' }));
  const drafts = [
    [familyCalls.sftp.add, draftOf({ ...sftpInfo, server: 'own.example:22' }, { orgOid, linkName: 'Own' })],
    [familyCalls.sftp.update, draftOf({ ...sftpInfo, server: 'own.example:22' }, { orgOid, userLinkId })],
  ] as const;
  for (const [call, draft] of drafts) {
    const admin = await join('admin');
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: goneOn, resolve: goOn } = Promise.withResolvers<void>();
    source.setGate(async () => {
      begin();
      await goneOn;
    });
    const refusal = admin.refusal(call, { ...draft, validateConnection: true });
    await begun;
    await owner.ask(removeOrgMember, { orgOid, memberId: admin.membershipOid });
    goOn();
    assert.equal((await refusal).errorCode, 351, call.path);
  }
  const { connectionInfo } = await owner.ask(getOrgLinkConnectionInfo, { userLinkId, orgOid });
  assert.equal((connectionInfo as { server?: string }).server, sftpInfo.server);
  assert.equal((await owner.ask(listOrgLinks, { orgOid })).activeSources.flatMap(({ links }) => links).length, 1);
});
