import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { createWeblink, familyCalls, linkUriOf, openWeblink } from '@sheaf/contract';
import { draftOf, linkApp, sftpInfo } from '#/testing/links.ts';

test('a share that many open with the right password stays open to them; only wrong ones count', async (t) => {
  const { user, visitor, source, services } = await linkApp(t);
  source.put('/Trip/a.txt', 'first');
  const { userLinkId } = await user.ask(familyCalls.sftp.add, draftOf(sftpInfo, { serverName: 'NAS' }));
  const { sharelinkurl } = await user.ask(createWeblink, { linkUri: linkUriOf(userLinkId, '/Trip'), password: 'right' });
  const weblinkId = sharelinkurl.slice(sharelinkurl.lastIndexOf('/') + 1);
  // A hash of the same password that is quicker to check.
  const passwordHash = await hash('right', { memoryCost: 8, timeCost: 1, parallelism: 1 });
  await services.database.db.updateTable('weblink').set({ passwordHash }).where('id', '=', weblinkId).execute();
  const guests = Array.from({ length: 310 }, () => visitor());
  for (const guest of guests) await guest.ask(openWeblink, { weblinkId, password: 'right' });
  const wrong = await visitor().refusal(openWeblink, { weblinkId, password: 'wrong' });
  assert.equal(wrong.messageCode, 'WEBLINK_PASSWORD_WRONG');
});
