import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type TransferState,
  copyObjects,
  deleteLink,
  linkUriOf,
  moveObjects,
  oneTransfer,
  planTransfer,
  startTransfer,
  transferPlan,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';

const page = { offset: 0, limit: 1000 };

/** Two links to one tree, whose owner has 10 bytes left and may upload 4 a day. */
async function setting(t: TestContext) {
  const { user, source } = await linkApp(t, { usage: () => ({ used: 90, total: 100, fileBytes: 50 }), limits: () => ({ dayBytes: 4 }) });
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Other', { server: 'other.example' });
  source.put('/to/keep', '');
  const wish = (path: string) => ({ linkUri: [linkUriOf(one, path)], parentLinkUri: linkUriOf(other, '/to'), conflict: 'fail' as const });
  const reached = (transferId: string, ...states: readonly TransferState[]) =>
    eventually(async () => states.includes((await user.ask(oneTransfer, { transferId })).state), `the transfer is ${states.join(' or ')}`);
  return { user, source, one, other, wish, reached };
}

test('a copy that does not fit into the free space waits for a decision, and can be started all the same', async (t) => {
  const { user, source, wish, reached } = await setting(t);
  source.put('/from/large', 'more than ten bytes');
  const { transferId } = await user.ask(copyObjects, wish('/from'));
  await reached(transferId, 'planned', 'done', 'failed');
  const planned = await user.ask(oneTransfer, { transferId });
  assert.deepEqual([planned.state, planned.problems, planned.error?.messageCode], ['planned', 0, 'SOURCE_FULL']);
  const { freeBytes, bytes, days, unknownSizes } = await user.ask(transferPlan, { transferId, ...page });
  assert.deepEqual({ freeBytes, bytes, days, unknownSizes }, { freeBytes: 10, bytes: 19, days: 5, unknownSizes: 0 });
  assert.equal((await user.ask(startTransfer, { transferId })).error, undefined);
  await reached(transferId, 'done');
});

test('a file larger than the account may upload is a problem in the plan', async (t) => {
  const { user, source, wish, reached } = await setting(t);
  source.put('/from/large', 'x'.repeat(51));
  source.put('/from/small', '1');
  const { transferId } = await user.ask(copyObjects, wish('/from'));
  await reached(transferId, 'planned', 'done', 'failed');
  const { items } = await user.ask(transferPlan, { transferId, ...page, only: 'problem' });
  assert.deepEqual(
    items.map(({ from, reason }) => [from, reason]),
    [['/from/large', 'too_large']],
  );
});

test('a copy that fits starts at once, and so does a move within one link, which takes no room', async (t) => {
  const { user, source, one, wish, reached } = await setting(t);
  source.put('/from/small', '4444');
  source.put('/from/large', 'more than ten bytes');
  const copied = await user.ask(copyObjects, wish('/from/small'));
  await reached(copied.transferId, 'done');
  const moved = await user.ask(moveObjects, { ...wish('/from/large'), parentLinkUri: linkUriOf(one, '/to') });
  await reached(moved.transferId, 'done');
});

test('the plan estimates the time once transfers between these links have been measured', async (t) => {
  const { user, source, wish, reached } = await setting(t);
  for (const name of ['a', 'b', 'c']) source.put(`/from/${name}`, '1');
  const estimate = async () => {
    const { transferId } = await user.ask(planTransfer, { kind: 'copy', ...wish('/from') });
    await reached(transferId, 'planned');
    return (await user.ask(transferPlan, { transferId, ...page })).estimateSeconds;
  };
  assert.equal(await estimate(), undefined);
  // Shorter runs are not measured.
  let beganAt: number | undefined;
  source.setGate(async (operation) => {
    if (operation !== 'write') return;
    const since = (beganAt ??= performance.now());
    await eventually(() => performance.now() - since > 1500, 'the run has taken a while');
  });
  const { transferId } = await user.ask(copyObjects, wish('/from'));
  await reached(transferId, 'done');
  const seconds = await estimate();
  assert.ok(seconds !== undefined && seconds >= 1 && seconds < 60, String(seconds));
});

test('the plan is shown without room and time when a link has been removed', async (t) => {
  const { user, source, one, wish, reached } = await setting(t);
  source.put('/from/a', '1');
  const { transferId } = await user.ask(planTransfer, { kind: 'copy', ...wish('/from') });
  await reached(transferId, 'planned');
  await user.ask(deleteLink, { userLinkId: one });
  const { freeBytes, items } = await user.ask(transferPlan, { transferId, ...page });
  assert.deepEqual([freeBytes, items.length], [undefined, 2]);
});
