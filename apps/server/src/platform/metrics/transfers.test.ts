import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyObjects, linkUriOf, oneTransfer } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';
import { createTransferMetrics } from './transfers.ts';

test('a run counts while it runs, with its bytes, and how it ended', async () => {
  const { begin, sent, lines, readings } = createTransferMetrics();
  const [first, second] = [begin('copy'), begin('copy')];
  sent('copy', 100);
  // What the plan knew of a size may be corrected downwards; a counter only grows.
  sent('copy', -100);
  sent('move', 1);
  first('done');
  assert.ok(lines().includes('sheaf_transfers_running{kind="copy"} 1'));
  assert.deepEqual(
    (await readings()).find(({ value }) => value > 0),
    { name: 'sheaf.transfers.running', value: 1, facts: { 'sheaf.transfer.kind': 'copy' } },
  );
  second('waiting');
  for (const line of [
    'sheaf_transfers_running{kind="copy"} 0',
    'sheaf_transfer_bytes_total{kind="copy"} 100',
    'sheaf_transfer_bytes_total{kind="move"} 1',
    'sheaf_transfer_runs_total{kind="copy",result="done"} 1',
    'sheaf_transfer_runs_total{kind="copy",result="waiting"} 1',
  ])
    assert.ok(lines().includes(line), line);
});

test('a copy between two links is in the metrics, with the bytes of its files', async (t) => {
  const { app, user, source, services } = await linkApp(t);
  const one = await addSftp(user, 'One', { server: 'one.example' });
  const two = await addSftp(user, 'Two', { server: 'two.example' });
  source.put('/from/a.txt', 'twelve bytes');
  source.put('/to/b.txt', 'b');
  const linkUri = [linkUriOf(one.userLinkId, '/from/a.txt')];
  const { transferId } = await user.ask(copyObjects, { linkUri, parentLinkUri: linkUriOf(two.userLinkId, '/to'), conflict: 'fail' });
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'done', 'the transfer ends');
  await services.background.idle();
  const metrics = async () => (await app.inject({ method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' })).body;
  await eventually(async () => (await metrics()).includes('sheaf_transfer_runs_total{kind="copy",result="done"} 1'), 'the run is counted');
  assert.match(await metrics(), /^sheaf_transfer_bytes_total\{kind="copy"\} 12$/m);
  assert.match(await metrics(), /^sheaf_transfers_running\{kind="copy"\} 0$/m);
});
