import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  acceptSpaceInvitation,
  changeSpaceMember,
  inviteToSpace,
  leaveSpace,
  listAudit,
  listSpaceMembers,
  removeSpaceMember,
} from '@sheaf/contract';
import { mailedToken } from '#/testing/outbox.ts';
import { invitationPage, join, spaceApp } from '#/testing/spaces.ts';

/** A Space whose manager and owner have each invited somebody. */
async function setting(t: TestContext) {
  const app = await spaceApp(t);
  const { user, space } = app;
  const { spaceOid } = space;
  const noor = await app.signUp('noor@example.org');
  await join(app, space, noor, 'manager');
  const guest = await app.signUp('guest@example.org');
  await noor.ask(inviteToSpace, { spaceOid, emails: guest.email, role: 'manager' });
  await user.ask(inviteToSpace, { spaceOid, emails: 'sam@example.org', role: 'viewer' });
  const { members } = await user.ask(listSpaceMembers, { spaceOid });
  const memberId = members.find(({ email }) => email === noor.email)?.memberId ?? '';
  const invited = async () => {
    const now = await user.ask(listSpaceMembers, { spaceOid });
    return now.members.filter(({ isInvited }) => isInvited).map(({ email }) => email);
  };
  return { ...app, noor, guest, spaceOid, memberId, invited, token: await mailedToken(app, guest.email, invitationPage) };
}

test('invitations by a manager are revoked when the manager may no longer invite, is removed or leaves; those by others stay', async (t) => {
  const ways = {
    demoted: ({ user, spaceOid, memberId }: Setting) => user.ask(changeSpaceMember, { spaceOid, memberId, role: 'editor' }),
    removed: ({ user, spaceOid, memberId }: Setting) => user.ask(removeSpaceMember, { spaceOid, memberId }),
    left: ({ noor, spaceOid }: Setting) => noor.ask(leaveSpace, { spaceOid }),
  };
  for (const [name, end] of Object.entries(ways)) {
    await t.test(name, async (inner) => {
      const app = await setting(inner);
      assert.deepEqual((await app.invited()).toSorted(), ['guest@example.org', 'sam@example.org']);
      await end(app);
      assert.deepEqual(await app.invited(), ['sam@example.org']);
      assert.equal((await app.guest.refusal(acceptSpaceInvitation, { token: app.token })).messageCode, 'INVITATION_SPENT');
      const { entries } = await app.user.ask(listAudit, { limit: 50 });
      assert.deepEqual(
        entries.filter(({ action }) => action === 'space.withdraw').map(({ sentence }) => sentence),
        ['took back the invitation of guest@example.org to the space Team by Mara'],
      );
    });
  }
});
type Setting = Awaited<ReturnType<typeof setting>>;

test('an invitation stays open while its sender is allowed to invite', async (t) => {
  const { user, guest, spaceOid, memberId, token } = await setting(t);
  await user.ask(changeSpaceMember, { spaceOid, memberId, role: 'manager' });
  assert.equal((await guest.ask(acceptSpaceInvitation, { token })).space.role, 'manager');
});
