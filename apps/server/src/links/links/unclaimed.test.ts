import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteLink, emailLogin, forgotPassword, keepLink, resetPassword } from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { addSftp, linkApp, rowsOf } from '#/testing/links.ts';
import { mailedToken, mailsTo } from '#/testing/outbox.ts';

test('links made with an address before its owner verified it are marked, in the list and by mail, until the owner keeps or removes them', async (t) => {
  const app = await linkApp(t);
  const squatter = app.user;
  await addSftp(squatter, 'Attic');
  await addSftp(squatter, 'Barn');
  const marks = async (by: User) => (await rowsOf(by)).map(({ name, isUnclaimed }) => [name, isUnclaimed]);
  const plain = [
    ['Attic', undefined],
    ['Barn', undefined],
  ];
  assert.deepEqual(await marks(squatter), plain);

  const owner: User = { ...squatter, ...app.visitor() };
  const password = 'another battery staple';
  const reset = async (): Promise<void> => {
    await app.visitor().ask(forgotPassword, { email: squatter.email });
    await app.visitor().ask(resetPassword, { token: await mailedToken(app, squatter.email, '/login/reset'), password });
  };
  await reset();
  await owner.ask(emailLogin, { email: squatter.email, password });
  assert.deepEqual(await marks(owner), [
    ['Attic', true],
    ['Barn', true],
  ]);
  const told = (await mailsTo(app, squatter.email)).filter((mail) => mail.includes('Please look at the links of your Sheaf account'));
  assert.equal(told.length, 1);
  assert.match((told[0] ?? '').replace(/=?\r?\n/g, ' '), /Attic, Barn/);

  const [attic, barn] = await rowsOf(owner);
  const stranger = await app.signUp();
  assert.equal((await stranger.refusal(keepLink, { userLinkId: attic?.userLinkId ?? '' })).messageCode, 'INVALID_LINK_URI');
  await owner.ask(keepLink, { userLinkId: attic?.userLinkId ?? '' });
  await owner.ask(deleteLink, { userLinkId: barn?.userLinkId ?? '' });
  await addSftp(owner, 'Cellar');
  const kept = [
    ['Attic', undefined],
    ['Cellar', undefined],
  ];
  assert.deepEqual(await marks(owner), kept);
  await reset();
  await owner.ask(emailLogin, { email: squatter.email, password });
  assert.deepEqual(await marks(owner), kept, 'a later password finds the address proven');
});
