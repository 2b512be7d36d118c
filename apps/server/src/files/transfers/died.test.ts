import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyObjects, linkUriOf, oneTransfer, retryTransfer } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';

test('a transfer whose process died on every attempt has failed and can be retried', async (t) => {
  const { user, source, services, secondInstance } = await linkApp(t);
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Other', { server: 'other.example' });
  source.put('/from/a.txt', 'a');
  source.put('/to/keep.txt', 'kept');
  const goOn = Promise.withResolvers<void>();
  source.setGate((operation) => (operation === 'read' ? goOn.promise : undefined));
  const { transferId } = await user.ask(copyObjects, {
    linkUri: [linkUriOf(one, '/from')],
    parentLinkUri: linkUriOf(other, '/to'),
    conflict: 'fail',
  });
  const state = async () => (await user.ask(oneTransfer, { transferId })).state;
  await eventually(async () => (await state()) === 'running', 'the file is being read');

  // As if this process had been silent for long, after ten others had ended.
  await services.db.updateTable('job').set({ attempts: 10, dueAt: 0 }).where('kind', '=', 'transfers.run').execute();
  await secondInstance({ findDefinition: async () => source.definition });
  await eventually(async () => (await state()) === 'failed', 'the transfer has failed');
  assert.equal((await user.ask(oneTransfer, { transferId })).error?.messageCode, 'TRANSFER_ABORTED');

  goOn.resolve();
  await user.ask(retryTransfer, { transferId });
  await eventually(async () => (await state()) === 'done', 'the transfer is done');
});
