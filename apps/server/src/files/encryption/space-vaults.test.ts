import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as contract from '@sheaf/contract';
import {
  addVaultPasskey,
  createVault,
  leaveSpace,
  linkUriOf,
  listEncryption,
  listSpaceMembers,
  removeSpaceMember,
  removeVault,
  removeVaultPasskey,
  renameVault,
  rewrapVault,
  setEncryptionRootView,
  setVaultForMembers,
} from '@sheaf/contract';
import { callsOf } from '#/platform/openapi/document.ts';
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

test('no call lets a reading or a removed member of a Space make or change a vault there', async (t) => {
  const app = await spaceApp(t);
  const { user, storageId, space } = app;
  const member = await app.signUp();
  const { userLinkId } = await join(app, space, member, 'viewer');
  const made = { parentLinkUri: linkUriOf(storageId, '/projects/team'), name: 'Letters', options, wrapped: 'sealed' };
  const { vaultId } = await user.ask(createVault, made);
  await user.ask(setVaultForMembers, { vaultId, forMembers: true });
  const { passkeyId } = await user.ask(addVaultPasskey, { vaultId, name: 'Key', sealed: 'sealed' });
  const before = await vaultsOf(user);
  const inSpace = linkUriOf(userLinkId, '/');

  const codesOfAll = async (): Promise<Record<string, string>> => {
    const refused = {
      [createVault.path]: await member.refusal(createVault, { ...made, parentLinkUri: inSpace, name: 'Mine' }),
      'an existing folder': await member.refusal(createVault, { linkUri: inSpace, name: 'Mine', options, wrapped: 'w' }),
      [renameVault.path]: await member.refusal(renameVault, { vaultId, name: 'Mine' }),
      [rewrapVault.path]: await member.refusal(rewrapVault, { vaultId, wrapped: 'mine' }),
      [removeVault.path]: await member.refusal(removeVault, { vaultId }),
      [setVaultForMembers.path]: await member.refusal(setVaultForMembers, { vaultId, forMembers: false }),
      [addVaultPasskey.path]: await member.refusal(addVaultPasskey, { vaultId, name: 'Key', sealed: 'mine' }),
      [removeVaultPasskey.path]: await member.refusal(removeVaultPasskey, { vaultId, passkeyId }),
    };
    return Object.fromEntries(Object.entries(refused).map(([path, { messageCode }]) => [path, messageCode]));
  };
  const known = { ...(await codesOfAll()) };
  assert.deepEqual(
    callsOf(contract)
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/rest/encryption/') && !(path in known)),
    [listEncryption.path, setEncryptionRootView.path],
    'each other call changes a vault, and is asked here',
  );
  const { [createVault.path]: making, 'an existing folder': adding, ...others } = known;
  assert.deepEqual([making, adding, new Set(Object.values(others))], ['VAULT_NOT_YOURS', 'VAULT_NOT_YOURS', new Set(['VAULT_NOT_FOUND'])]);

  const { members } = await user.ask(listSpaceMembers, { spaceOid: space.spaceOid });
  const { memberId = '' } = members.find(({ email }) => email === member.email) ?? {};
  await user.ask(removeSpaceMember, { spaceOid: space.spaceOid, memberId });
  assert.deepEqual(await vaultsOf(member), []);
  const { [createVault.path]: afterwards, 'an existing folder': added, ...rest } = await codesOfAll();
  assert.deepEqual([afterwards, added, rest], ['INVALID_LINK_URI', 'INVALID_LINK_URI', others]);
  assert.deepEqual(await vaultsOf(user), before);
});
