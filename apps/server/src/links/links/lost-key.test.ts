import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { familyCalls, linkUriOf, remoteUpdate, secretMask } from '@sheaf/contract';
import { secretPlace } from '#/secrets/reseal.ts';
import { createVault } from '#/secrets/vault.ts';
import { addSftp, draftOf, linkApp, sftpInfo } from '#/testing/links.ts';

test('a link whose secrets another key has sealed says so, and works again once its password is entered', async (t) => {
  const { services, user } = await linkApp(t);
  const { userLinkId } = await addSftp(user, 'NAS');
  const sealed = createVault(randomBytes(32)).seal(secretPlace(userLinkId, 'password'), 'sftp-secret');
  await services.database.db.updateTable('link_secret').set({ sealed }).where('linkId', '=', userLinkId).execute();
  await services.connections.replace(user.userId, userLinkId);
  const view = { sort: 'name', order: 'asc', refresh: true, limit: 10, fresh: true } as const;
  const list = { linkUri: linkUriOf(userLinkId, '/'), ...view };
  assert.equal((await user.refusal(remoteUpdate, list)).messageCode, 'SECRET_UNREADABLE');
  const update = (password: string) => ({ ...draftOf({ ...sftpInfo, password }), userLinkId, continueAnyway: true });
  assert.equal((await user.refusal(familyCalls.sftp.update, update(secretMask))).messageCode, 'SECRET_UNREADABLE');
  await user.ask(familyCalls.sftp.update, update('new-secret'));
  assert.deepEqual((await user.ask(remoteUpdate, list)).items, []);
});
