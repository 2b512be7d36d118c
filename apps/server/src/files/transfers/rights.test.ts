import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyObjects, linkUriOf, listSpaceMembers, moveObjects, oneTransfer, removeSpaceMember, transferPlan } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { User } from '#/testing/app.ts';
import { addSftp } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

async function ended(user: User, transferId: string) {
  await eventually(
    async () => ['done', 'failed', 'planned'].includes((await user.ask(oneTransfer, { transferId })).state),
    'the transfer has ended',
  );
  return user.ask(oneTransfer, { transferId });
}

test('a viewer of a Space can copy out of it, but neither into it nor move out of it', async (t) => {
  const app = await spaceApp(t);
  const member = await app.signUp();
  const { userLinkId: space } = await join(app, app.space, member, 'viewer');
  const { userLinkId: own } = await addSftp(member, 'Mine', { server: 'mine.example' });
  const inSpace = { linkUri: [linkUriOf(space, '/sub')], parentLinkUri: linkUriOf(own, '/projects/team2'), conflict: 'fail' as const };
  const { transferId } = await member.ask(copyObjects, inSpace);
  assert.equal((await ended(member, transferId)).state, 'done');
  assert.equal((await member.refusal(moveObjects, inSpace)).messageCode, 'ROLE_FORBIDS');
  const into = { linkUri: [linkUriOf(own, '/projects/secret.txt')], parentLinkUri: linkUriOf(space, '/'), conflict: 'fail' as const };
  assert.equal((await member.refusal(copyObjects, into)).messageCode, 'ROLE_FORBIDS');
});

test('a right that is withdrawn ends the transfer at its next file', async (t) => {
  const app = await spaceApp(t);
  const member = await app.signUp();
  const { userLinkId: space } = await join(app, app.space, member, 'editor');
  const { userLinkId: own } = await addSftp(member, 'Mine', { server: 'mine.example' });
  for (let index = 0; index < 30; index++) app.source.put(`/projects/team/many/${index}.txt`, `${index}`);
  const held = Promise.withResolvers<void>();
  let written = 0;
  app.source.setGate(async (operation) => {
    if (operation === 'write' && ++written > 4) await held.promise;
  });
  const { transferId } = await member.ask(copyObjects, {
    linkUri: [linkUriOf(space, '/many')],
    parentLinkUri: linkUriOf(own, '/projects/team2'),
    conflict: 'fail',
  });
  await eventually(() => written > 4, 'files are being copied');
  const { members } = await app.user.ask(listSpaceMembers, { spaceOid: app.space.spaceOid });
  const { memberId = '' } = members.find(({ email }) => email === member.email) ?? {};
  await app.user.ask(removeSpaceMember, { spaceOid: app.space.spaceOid, memberId });
  held.resolve();
  const transfer = await ended(member, transferId);
  assert.equal(transfer.state, 'failed');
  assert.ok(transfer.itemsDone < 31, `${transfer.itemsDone} items were copied`);
  const { items } = await member.ask(transferPlan, { transferId, offset: 0, limit: 100, state: 'failed' });
  assert.ok(
    items.every(({ error }) => error?.messageCode === 'INVALID_LINK_URI'),
    JSON.stringify(items.map(({ error }) => error)),
  );
});
