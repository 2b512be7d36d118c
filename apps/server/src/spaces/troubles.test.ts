import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteLink } from '@sheaf/contract';
import { rowsOf } from '#/testing/links.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const stateOf = async (user: Parameters<typeof rowsOf>[0]) => {
  const row = (await rowsOf(user)).find(({ formType }) => formType === 'SPACES');
  return { state: row?.state, attention: row?.attention };
};

test('the link to a space needs attention among the links of every member once its storage is unlinked', async (t) => {
  const app = await spaceApp(t);
  const member = await app.signUp();
  await join(app, app.space, member, 'viewer');
  assert.deepEqual(await stateOf(member), { state: 'ok', attention: undefined });
  await app.user.ask(deleteLink, { userLinkId: app.storageId });
  for (const user of [member, app.user]) {
    const { state, attention } = await stateOf(user);
    assert.equal(state, 'attention');
    assert.match(attention ?? '', /has unlinked the storage of Team\./);
  }
});

test("the link to a space needs attention once its owner's subscription has ended", async (t) => {
  let time = 1_800_000_000;
  const app = await spaceApp(t, { hasTrial: true, now: () => time });
  const member = await app.signUp();
  await join(app, app.space, member, 'viewer');
  assert.equal((await stateOf(member)).state, 'ok');
  time += 8 * 86_400;
  const { state, attention } = await stateOf(member);
  assert.equal(state, 'attention');
  assert.match(attention ?? '', /subscription to Spaces has ended\. The files of Team/);
});
