import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { linkUriOf, listTransfers, moveObjects, oneTransfer, planTransfer } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp } from '#/testing/links.ts';
import { spaceApp } from '#/testing/spaces.ts';

test('a move that is asked for again with its key, at once or when it has ended, begins once; the key of another account is another key', async (t) => {
  const app = await spaceApp(t);
  const [user, other] = [await app.signUp(), await app.signUp()];
  const { userLinkId } = await addSftp(user, 'Mine', { server: 'mine.example' });
  const wish = {
    linkUri: [linkUriOf(userLinkId, '/projects/secret.txt')],
    parentLinkUri: linkUriOf(userLinkId, '/projects/team2'),
    conflict: 'fail' as const,
    idempotencyKey: randomUUID(),
  };
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => user.ask(moveObjects, wish)));
  assert.deepEqual([two, three], [one, one]);
  const { transferId } = one ?? assert.fail();
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'done', 'the move is done');
  assert.deepEqual(await user.ask(moveObjects, wish), one);
  assert.equal((await user.ask(listTransfers, { offset: 0, limit: 10 })).total, 1);

  const { userLinkId: theirs } = await addSftp(other, 'Theirs', { server: 'mine.example' });
  app.source.put('/projects/secret.txt', 'again');
  const own = await other.ask(moveObjects, {
    ...wish,
    linkUri: [linkUriOf(theirs, '/projects/secret.txt')],
    parentLinkUri: linkUriOf(theirs, '/projects/team2'),
  });
  assert.notEqual(own.transferId, transferId);
});

test('an account has a bounded number of transfers that have not ended, and room again when one has', async (t) => {
  const { signUp, services } = await spaceApp(t);
  const user = await signUp();
  const { userLinkId } = await addSftp(user, 'Mine', { server: 'mine.example' });
  const wish = { linkUri: [linkUriOf(userLinkId, '/projects/secret.txt')], parentLinkUri: linkUriOf(userLinkId, '/projects/team2') };
  const { transferId } = await user.ask(planTransfer, { ...wish, kind: 'copy', conflict: 'skip' });
  const row = await services.db.selectFrom('transfer').selectAll().where('id', '=', transferId).executeTakeFirstOrThrow();
  const others = Array.from({ length: 999 }, (_, at) => ({ ...row, id: `${transferId}${at}`, state: 'paused' as const, endedAt: null }));
  for (let at = 0; at < others.length; at += 100)
    await services.db
      .insertInto('transfer')
      .values(others.slice(at, at + 100))
      .execute();
  const { messageCode, message } = await user.refusal(planTransfer, { ...wish, kind: 'copy', conflict: 'skip' });
  assert.equal(messageCode, 'TOO_MANY_TRANSFERS', message);
  await services.db.updateTable('transfer').set({ state: 'done', endedAt: 1 }).where('id', '=', `${transferId}0`).execute();
  await user.ask(planTransfer, { ...wish, kind: 'copy', conflict: 'skip' });
});
