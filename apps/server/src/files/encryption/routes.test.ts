import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteLink, linkUriOf, listEncryption, setEncryptionRootView } from '@sheaf/contract';
import { addSftp, linkApp } from '#/testing/links.ts';

test('a new account has no encrypted folder and does not see the root', async (t) => {
  const { user } = await linkApp(t);
  assert.deepEqual(await user.ask(listEncryption, {}), { folders: [], isIncluded: false, rootView: false });
});

test('the root is shown and hidden again, for that account alone', async (t) => {
  const { user, signUp } = await linkApp(t);
  const eve = await signUp();
  const shown = async (of = user) => (await of.ask(listEncryption, {})).rootView;
  for (const rootView of [true, true, false, true]) {
    assert.deepEqual(await user.ask(setEncryptionRootView, { rootView }), { rootView });
    assert.equal(await shown(), rootView);
    assert.equal(await shown(eve), false);
  }
});

test('two concurrent choices both succeed', async (t) => {
  const { user } = await linkApp(t);
  await Promise.all([true, false, true, false].map((rootView) => user.ask(setEncryptionRootView, { rootView })));
  assert.equal(typeof (await user.ask(listEncryption, {})).rootView, 'boolean');
});

test('encryption is included as long as Premium is', async (t) => {
  const { user } = await linkApp(t, { settings: { SHEAF_BILLING: 'off' } });
  assert.equal((await user.ask(listEncryption, {})).isIncluded, true);
});

test('folders are listed to their account with the location of their files, until the link is removed', async (t) => {
  const { user, signUp, services } = await linkApp(t);
  const eve = await signUp();
  const { userLinkId } = await addSftp(user, 'Server');
  const folder = { accountId: user.userId, linkId: userLinkId, createdAt: 1_800_000_000 };
  await services.database.db
    .insertInto('encryption_folder')
    .values([
      { ...folder, id: 'f1', name: 'Taxes', path: '/Sealed/Old & new' },
      { ...folder, id: 'f2', name: 'All', path: '/' },
      // Folders on another user's link are never shown.
      { ...folder, id: 'f3', name: 'Stolen', path: '/x', accountId: eve.userId },
    ])
    .execute();
  assert.deepEqual((await user.ask(listEncryption, {})).folders, [
    { folderOid: 'f2', name: 'All', linkUri: linkUriOf(userLinkId, '/'), destinationPath: 'Server', createdAt: 1_800_000_000 },
    {
      folderOid: 'f1',
      name: 'Taxes',
      linkUri: linkUriOf(userLinkId, '/Sealed/Old & new'),
      destinationPath: 'Server/Sealed/Old & new',
      createdAt: 1_800_000_000,
    },
  ]);
  assert.deepEqual((await eve.ask(listEncryption, {})).folders, []);
  await user.ask(deleteLink, { userLinkId });
  assert.deepEqual((await user.ask(listEncryption, {})).folders, []);
});

test('without a session nothing is returned; without the rTag nothing is changed', async (t) => {
  const { user, visitor } = await linkApp(t);
  assert.equal((await visitor().refusal(listEncryption, {})).errorCode, 104);
  assert.equal((await visitor().refusal(setEncryptionRootView, { rootView: true })).errorCode, 104);
  assert.equal((await user.refusal(setEncryptionRootView, { rootView: true, rTag: 'wrong' })).errorCode, 104);
  assert.equal((await user.ask(listEncryption, {})).rootView, false);
});
