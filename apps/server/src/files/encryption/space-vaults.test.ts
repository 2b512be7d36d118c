import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createVault,
  leaveSpace,
  linkUriOf,
  listEncryption,
  removeVault,
  renameVault,
  rewrapVault,
  setVaultForMembers,
} from '@sheaf/contract';
import type { User } from '#/testing/app.ts';
import { join, spaceApp } from '#/testing/spaces.ts';

const options = JSON.stringify({
  filename_encryption: 'standard',
  directory_name_encryption: true,
  filename_encoding: 'base32',
  suffix: '.bin',
});
const vaultsOf = async (user: User) => (await user.ask(listEncryption, {})).folders;

test('members of a Space get the sealed passwords of its vaults once the owner opens them to members, as long as they are members', async (t) => {
  const app = await spaceApp(t);
  const { user, storageId, space } = app;
  const [noor, vera, eve] = [await app.signUp(), await app.signUp(), await app.signUp()];
  const ofNoor = await join(app, space, noor, 'editor');
  const ofVera = await join(app, space, vera, 'viewer');
  const make = (parent: string, name: string) =>
    user.ask(createVault, { parentLinkUri: linkUriOf(storageId, parent), name, options, wrapped: `sealed ${name}` });
  const inside = await make('/projects/team/sub', 'Letters');
  const closed = await make('/projects/team', 'Closed');
  const beside = await make('/projects/team2', 'Beside');
  const around = await user.ask(createVault, { linkUri: linkUriOf(storageId, '/projects'), name: 'Around', options, wrapped: 'w' });
  for (const member of [noor, vera]) assert.deepEqual(await vaultsOf(member), []);

  for (const { vaultId } of [inside, beside, around]) await user.ask(setVaultForMembers, { vaultId, forMembers: true });
  const [own] = (await vaultsOf(user)).filter(({ folderOid }) => folderOid === inside.vaultId);
  assert.deepEqual([own?.forMembers, own?.member, own?.linkUri], [true, undefined, inside.linkUri]);
  assert.equal((await vaultsOf(user)).length, 4, 'the owner has each vault once');
  const { createdAt = 0 } = own ?? {};
  const seen = (userLinkId: string, isReadOnly: boolean) => ({
    folderOid: inside.vaultId,
    name: 'Letters',
    linkUri: linkUriOf(userLinkId, '/sub/Letters'),
    destinationPath: 'Team/sub/Letters',
    createdAt,
    wrapped: 'sealed Letters',
    passkeys: [],
    forMembers: true,
    member: { ownerName: 'Mara', spaceName: 'Team', isReadOnly },
  });
  assert.deepEqual(await vaultsOf(noor), [seen(ofNoor.userLinkId, false)]);
  assert.deepEqual(await vaultsOf(vera), [seen(ofVera.userLinkId, true)]);
  assert.deepEqual(await vaultsOf(eve), []);

  // A member decides nothing about the vault.
  const { vaultId } = inside;
  for (const refusal of [
    await noor.refusal(setVaultForMembers, { vaultId: closed.vaultId, forMembers: true }),
    await noor.refusal(setVaultForMembers, { vaultId, forMembers: false }),
    await noor.refusal(renameVault, { vaultId, name: 'Mine' }),
    await noor.refusal(rewrapVault, { vaultId, wrapped: 'mine' }),
    await noor.refusal(removeVault, { vaultId }),
  ])
    assert.equal(refusal.messageCode, 'VAULT_NOT_FOUND');
  assert.equal((await user.refusal(setVaultForMembers, { vaultId, forMembers: false, rTag: 'wrong' })).errorCode, 104);

  await vera.ask(leaveSpace, { spaceOid: space.spaceOid });
  assert.deepEqual(await vaultsOf(vera), []);
  await user.ask(setVaultForMembers, { vaultId, forMembers: false });
  assert.deepEqual(await vaultsOf(noor), []);
});
