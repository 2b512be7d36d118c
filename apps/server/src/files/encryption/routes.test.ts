import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addFolder,
  addVaultPasskey,
  createVault,
  deleteLink,
  linkUriOf,
  listEncryption,
  mostVaultPasskeys,
  mostWrapped,
  removeVault,
  removeVaultPasskey,
  renameVault,
  rewrapVault,
  setEncryptionRootView,
} from '@sheaf/contract';
import { addSftp, linkApp, listRoot } from '#/testing/links.ts';

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
    {
      folderOid: 'f2',
      name: 'All',
      linkUri: linkUriOf(userLinkId, '/'),
      destinationPath: 'Server',
      createdAt: 1_800_000_000,
      passkeys: [],
      forMembers: false,
    },
    {
      folderOid: 'f1',
      name: 'Taxes',
      linkUri: linkUriOf(userLinkId, '/Sealed/Old & new'),
      destinationPath: 'Server/Sealed/Old & new',
      createdAt: 1_800_000_000,
      passkeys: [],
      forMembers: false,
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

const options = JSON.stringify({
  filename_encryption: 'standard',
  directory_name_encryption: true,
  filename_encoding: 'base32',
  suffix: '.bin',
});
const everything = { settings: { SHEAF_BILLING: 'off' } };
const vaultsOf = async (user: Awaited<ReturnType<typeof linkApp>>['user']) => (await user.ask(listEncryption, {})).folders;

test('a vault is made in a folder, listed with what was sealed, renamed, sealed anew, and forgotten without its files', async (t) => {
  const app = await linkApp(t, everything);
  const { user } = app;
  const { userLinkId } = await addSftp(user, 'Server');
  const root = linkUriOf(userLinkId, '/');
  const made = await user.ask(createVault, { parentLinkUri: root, name: 'Letters', options, wrapped: 'sealed 1' });
  assert.equal(made.linkUri, linkUriOf(userLinkId, '/Letters'));
  assert.deepEqual(
    (await vaultsOf(user)).map(({ name, wrapped, folderOid }) => [name, wrapped, folderOid]),
    [['Letters', 'sealed 1', made.vaultId]],
  );
  assert.ok((await listRoot(app, userLinkId)).includes('Letters'));
  assert.equal(
    (await user.refusal(createVault, { parentLinkUri: root, name: 'Letters', options, wrapped: 'x' })).messageCode,
    'NAME_TAKEN',
  );

  await user.ask(renameVault, { vaultId: made.vaultId, name: 'Post' });
  await user.ask(rewrapVault, { vaultId: made.vaultId, wrapped: 'sealed 2' });
  assert.deepEqual(
    (await vaultsOf(user)).map(({ name, wrapped, linkUri }) => [name, wrapped, linkUri]),
    [['Post', 'sealed 2', made.linkUri]],
  );

  await user.ask(removeVault, { vaultId: made.vaultId });
  assert.deepEqual(await vaultsOf(user), []);
  assert.ok((await listRoot(app, userLinkId)).includes('Letters'));
  const again = await user.ask(createVault, { linkUri: made.linkUri, name: 'Letters', options, wrapped: 'sealed 3' });
  assert.equal(again.linkUri, made.linkUri);
});

test('an existing folder becomes a vault once, also the root of a link, and a file never does', async (t) => {
  const { user, source } = await linkApp(t, everything);
  const { userLinkId } = await addSftp(user, 'Server');
  source.put('/crypt/abc', 'x');
  const linkUri = linkUriOf(userLinkId, '/crypt');
  const ask = { name: 'Old', options, wrapped: 'w' };
  const refused = async (more: object) => (await user.refusal(createVault, { ...ask, ...more })).messageCode;
  await user.ask(createVault, { ...ask, linkUri });
  assert.equal(await refused({ linkUri }), 'VAULT_EXISTS');
  await user.ask(createVault, { ...ask, linkUri: linkUriOf(userLinkId, '/') });
  assert.equal(await refused({ linkUri: `${linkUri}/abc` }), 'INVALID_PARAMETER');
  assert.equal(await refused({ linkUri: linkUriOf(userLinkId, '/nothing') }), 'ITEM_NOT_FOUND');
  assert.equal(await refused({}), 'MISSING_PARAMETER');
  assert.equal(await refused({ linkUri, parentLinkUri: linkUri }), 'MISSING_PARAMETER');
  assert.equal(await refused({ linkUri, name: 'a/b' }), 'INVALID_PARAMETER');
  const longSuffix = JSON.stringify({ ...(JSON.parse(options) as object), suffix: `.${'x'.repeat(255)}` });
  for (const wrong of ['', 'null', '{}', options.replace('standard', 'none'), longSuffix, '['.repeat(100_000)])
    assert.equal(await refused({ linkUri, options: wrong }), 'INVALID_PARAMETER');
  await user.refusal(createVault, { ...ask, linkUri, wrapped: 'x'.repeat(mostWrapped + 1) });
});

test('passkeys of a vault are its own, go with it, and are not without number', async (t) => {
  const { user, signUp, services } = await linkApp(t, everything);
  const eve = await signUp();
  const { userLinkId } = await addSftp(user, 'Server');
  const parentLinkUri = linkUriOf(userLinkId, '/');
  const { vaultId } = await user.ask(createVault, { parentLinkUri, name: 'Letters', options, wrapped: 'w' });
  const other = await user.ask(createVault, { parentLinkUri, name: 'Other', options, wrapped: 'w' });
  const { passkeyId } = await user.ask(addVaultPasskey, { vaultId, name: 'Laptop', sealed: 'sealed by it' });
  const passkeys = async () => (await vaultsOf(user)).map(({ name, passkeys: all }) => [name, ...all.map((one) => [one.name, one.sealed])]);
  assert.deepEqual(await passkeys(), [['Letters', ['Laptop', 'sealed by it']], ['Other']]);
  for (const refusal of [
    await eve.refusal(addVaultPasskey, { vaultId, name: 'Mine', sealed: 'x' }),
    await eve.refusal(removeVaultPasskey, { vaultId, passkeyId }),
  ])
    assert.equal(refusal.messageCode, 'VAULT_NOT_FOUND');
  assert.equal((await user.refusal(removeVaultPasskey, { vaultId: other.vaultId, passkeyId })).messageCode, 'VAULT_PASSKEY_GONE');
  for (let count = 1; count < mostVaultPasskeys; count++) await user.ask(addVaultPasskey, { vaultId, name: `Key ${count}`, sealed: 's' });
  assert.equal((await user.refusal(addVaultPasskey, { vaultId, name: 'More', sealed: 's' })).messageCode, 'VAULT_PASSKEYS_FULL');
  await user.ask(removeVaultPasskey, { vaultId, passkeyId });
  assert.equal((await vaultsOf(user))[0]?.passkeys.length, mostVaultPasskeys - 1);
  await user.ask(removeVault, { vaultId });
  assert.deepEqual(await services.database.db.selectFrom('vaultPasskey').select('id').execute(), []);
});

test("a vault is its account's alone, and lies on a link of its own", async (t) => {
  const { user, signUp } = await linkApp(t, everything);
  const eve = await signUp();
  const { userLinkId } = await addSftp(user, 'Server');
  const parentLinkUri = linkUriOf(userLinkId, '/');
  const { vaultId } = await user.ask(createVault, { parentLinkUri, name: 'Letters', options, wrapped: 'w' });
  assert.deepEqual(await vaultsOf(eve), []);
  assert.equal((await eve.refusal(createVault, { parentLinkUri, name: 'Mine', options, wrapped: 'w' })).messageCode, 'INVALID_LINK_URI');
  for (const refusal of [
    await eve.refusal(renameVault, { vaultId, name: 'Mine' }),
    await eve.refusal(rewrapVault, { vaultId, wrapped: 'mine' }),
    await eve.refusal(removeVault, { vaultId }),
  ])
    assert.equal(refusal.messageCode, 'VAULT_NOT_FOUND');
  for (const [call, input] of [
    [renameVault, { vaultId, name: 'x' }],
    [rewrapVault, { vaultId, wrapped: 'x' }],
    [removeVault, { vaultId }],
    [createVault, { parentLinkUri, name: 'x', options, wrapped: 'w' }],
  ] as const)
    assert.equal((await user.refusal(call, { ...input, rTag: 'wrong' } as never)).errorCode, 104);
  assert.deepEqual(
    (await vaultsOf(user)).map(({ name, wrapped }) => [name, wrapped]),
    [['Letters', 'w']],
  );
});

test('making a vault needs Premium; keeping, renaming and sealing anew does not', async (t) => {
  const { user, services } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'Server');
  const parentLinkUri = linkUriOf(userLinkId, '/');
  const refusal = await user.refusal(createVault, { parentLinkUri, name: 'Letters', options, wrapped: 'w' });
  assert.equal(refusal.messageCode, 'VAULT_NEEDS_PREMIUM');
  await user.ask(addFolder, { parentLinkUri, folderName: 'Letters', conflict: 'fail' });
  const row = {
    id: 'v1',
    accountId: user.userId,
    name: 'Letters',
    linkId: userLinkId,
    path: '/Letters',
    createdAt: 1,
    wrapped: 'w',
    options,
  };
  await services.database.db.insertInto('encryption_folder').values(row).execute();
  await user.ask(renameVault, { vaultId: 'v1', name: 'Post' });
  await user.ask(rewrapVault, { vaultId: 'v1', wrapped: 'w2' });
  assert.deepEqual(
    (await vaultsOf(user)).map(({ name, wrapped }) => [name, wrapped]),
    [['Post', 'w2']],
  );
  await user.ask(removeVault, { vaultId: 'v1' });
});

test('other sealed passwords, and the removal of a vault, need a fresh proof: a browser that was left alone is not enough', async (t) => {
  let time = Math.floor(Date.now() / 1000);
  const { user } = await linkApp(t, { settings: { SHEAF_BILLING: 'off' }, now: () => time });
  const { userLinkId } = await addSftp(user, 'Server');
  const { vaultId } = await user.ask(createVault, { parentLinkUri: linkUriOf(userLinkId, '/'), name: 'Vault', options, wrapped: 'sealed' });
  time += 601;
  assert.equal((await user.refusal(rewrapVault, { vaultId, wrapped: 'mine' })).messageCode, 'PROOF_NEEDED');
  assert.equal((await user.refusal(removeVault, { vaultId })).messageCode, 'PROOF_NEEDED');
  const { folders } = await user.ask(listEncryption, {});
  assert.deepEqual(
    folders.map(({ wrapped }) => wrapped),
    ['sealed'],
  );
});
