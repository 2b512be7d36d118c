import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSpaceMember, createWeblink, deleteLink, linkUriOf, listSpaceMembers, removeWeblink } from '@sheaf/contract';
import { addSftp, linkApp } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const idOf = ({ sharelinkurl }: { sharelinkurl: string }): string => sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);

test('a share, with or without a password, exists until it expires, is removed, or its link is unlinked', async (t) => {
  let time = 1_800_000_000;
  const { services, source, user } = await linkApp(t, { now: () => time });
  source.put('/a.txt', 'a');
  const { userLinkId } = await addSftp(user, 'NAS');
  const linkUri = linkUriOf(userLinkId, '/a.txt');
  const share = async (more: { password?: string; expirationSeconds?: number } = {}) =>
    idOf(await user.ask(createWeblink, { linkUri, ...more }));
  const { exists } = services.publicShares;
  const [expiring, removed, left] = [await share({ expirationSeconds: 86_400 }), await share(), await share({ password: 'x' })];
  assert.deepEqual(await Promise.all([expiring, removed, left, 'unknown', ''].map(exists)), [true, true, true, false, false]);
  time += 86_400;
  await user.ask(removeWeblink, { webLinkId: removed });
  assert.deepEqual(await Promise.all([expiring, removed, left].map(exists)), [false, false, true]);
  await user.ask(deleteLink, { userLinkId });
  assert.equal(await exists(left), false);
});

test('a share of an item in a space exists while its maker may share there, also when the storage is unreachable', async (t) => {
  const app = await spaceApp(t);
  const { user, space, services } = app;
  const noor = await app.signUp();
  const { userLinkId } = await join(app, space, noor, 'editor');
  const ids = [
    idOf(await noor.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/plan.txt') })),
    idOf(await user.ask(createWeblink, { linkUri: linkUriOf(space.userLinkId, '/plan.txt') })),
  ];
  const exist = () => Promise.all(ids.map(services.publicShares.exists));
  assert.deepEqual(await exist(), [true, true]);
  const { members } = await user.ask(listSpaceMembers, { spaceOid: space.spaceOid });
  const memberId = members.find(({ email }) => email === noor.email)?.memberId ?? '';
  await user.ask(changeSpaceMember, { spaceOid: space.spaceOid, memberId, role: 'viewer' });
  assert.deepEqual(await exist(), [false, true]);
  await user.ask(deleteLink, { userLinkId: app.storageId });
  assert.deepEqual(await exist(), [false, true]);
});
