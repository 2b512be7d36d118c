import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneTransfer, retryTransfer } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { linkApp } from '#/testing/links.ts';
import { transferring } from '#/testing/under-way.ts';

test('a transfer whose process died on every attempt has failed and can be retried', async (t) => {
  const { user, source, services, secondInstance } = await linkApp(t);
  const { transferId, goOn, state } = await transferring({ user, source });

  // As if this process had been silent for long, after ten others had ended.
  await services.db.updateTable('job').set({ attempts: 10, dueAt: 0 }).where('kind', '=', 'transfers.run').execute();
  await secondInstance({ findDefinition: async () => source.definition });
  await eventually(async () => (await state()) === 'failed', 'the transfer has failed');
  assert.equal((await user.ask(oneTransfer, { transferId })).error?.messageCode, 'TRANSFER_ABORTED');

  goOn();
  await user.ask(retryTransfer, { transferId });
  await eventually(async () => (await state()) === 'done', 'the transfer is done');
});
