import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ConnectorError } from '@sheaf/connectors';
import {
  type KeepVersionsRule,
  type Transfer,
  type TransferState,
  changeTransferPlan,
  createSchedule,
  limits,
  linkUriOf,
  oneTransfer,
  planTransfer,
  retryTransfer,
  startTransfer,
  transferPlan,
  undoTransfer,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';

/** Two links to one tree in memory: `/from` is mirrored into `/to`. */
async function setting(t: TestContext, files: readonly string[] = ['a', 'b', 'c', 'deep/d'], hasBin = false) {
  const { user, source, ...app } = await linkApp(t, { hasBin });
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Other', { server: 'other.example' });
  for (const name of files) source.put(`/from/${name}`, `new ${name}`);
  source.put('/to/beside', 'not mirrored');

  /** Every file below the folder with its content; versions without their date. */
  function tree(folder: string): Record<string, string> {
    const found: Record<string, string> = {};
    const walk = (node: unknown, path: string): void => {
      const { children, bytes } = node as { readonly children?: ReadonlyMap<string, unknown>; readonly bytes?: Buffer };
      if (bytes) found[path.replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[\w-]{6}/, 'DATE')] = bytes.toString();
      for (const [name, child] of children ?? []) walk(child, path === '' ? name : `${path}/${name}`);
    };
    let node: unknown = source.root;
    for (const name of folder.split('/').slice(1)) node = (node as { readonly children: ReadonlyMap<string, unknown> }).children.get(name);
    if (node !== undefined) walk(node, '');
    return found;
  }

  async function reached(transferId: string, ...states: readonly TransferState[]): Promise<Transfer> {
    let transfer: Transfer | undefined;
    await eventually(
      async () => {
        transfer = await user.ask(oneTransfer, { transferId });
        return states.includes(transfer.state);
      },
      `the transfer is ${states.join(' or ')}`,
    );
    assert.ok(transfer);
    return transfer;
  }

  const plan = async (keepVersions?: KeepVersionsRule, path = '/from', target = '/to'): Promise<Transfer> => {
    const ends = { linkUri: [linkUriOf(one, path)], parentLinkUri: linkUriOf(other, target) };
    const { transferId } = await user.ask(planTransfer, {
      kind: 'mirror',
      ...ends,
      conflict: 'fail',
      ...(keepVersions && { keepVersions }),
    });
    return reached(transferId, 'planned', 'failed');
  };
  const mirror = async (keepVersions?: KeepVersionsRule): Promise<Transfer> => {
    const { transferId } = await plan(keepVersions);
    await user.ask(startTransfer, { transferId });
    return reached(transferId, 'done', 'failed');
  };
  const actions = async (transferId: string): Promise<Record<string, string>> => {
    const { items } = await user.ask(transferPlan, { transferId, offset: 0, limit: 100 });
    return Object.fromEntries(items.map(({ to, action, reason }) => [to, reason === undefined ? action : `${action} ${reason}`]));
  };
  return { ...app, user, source, tree, plan, mirror, actions, reached, one, other };
}

test('a mirror makes the destination equal to the source, and keeps what it replaced and deleted in a dated folder', async (t) => {
  const { source, tree, plan, mirror, actions } = await setting(t);
  assert.equal((await mirror()).state, 'done');
  assert.deepEqual(tree('/to/from'), tree('/from'));
  source.put('/from/a', 'newer a');
  source.put('/from/e', 'new e');
  source.put('/to/from/old', 'to be deleted');
  source.put('/to/from/gone/deep/old', 'to be deleted too');
  const planned = await plan();
  assert.deepEqual(await actions(planned.transferId), {
    '/to/from': 'merge',
    '/to/from/a': 'replace name_taken',
    '/to/from/b': 'skip unchanged',
    '/to/from/c': 'skip unchanged',
    '/to/from/deep': 'merge',
    '/to/from/deep/d': 'skip unchanged',
    '/to/from/e': 'create',
    '/to/from/old': 'delete not_at_source',
    '/to/from/gone': 'delete not_at_source',
    '/to/from/gone/deep': 'delete not_at_source',
    '/to/from/gone/deep/old': 'delete not_at_source',
  });
  const done = await mirror();
  assert.deepEqual([done.state, done.itemsDone, done.itemsTotal, done.error], ['done', 8, 8, undefined]);
  assert.deepEqual(tree('/to'), {
    beside: 'not mirrored',
    ...Object.fromEntries(Object.entries(tree('/from')).map(([name, content]) => [`from/${name}`, content])),
    '.sheaf-versions/DATE/from/a': 'new a',
    '.sheaf-versions/DATE/from/old': 'to be deleted',
    '.sheaf-versions/DATE/from/gone/deep/old': 'to be deleted too',
  });
  const again = await mirror();
  assert.deepEqual([again.state, again.bytesDone], ['done', 0]);
});

test('undoing a mirror brings back what it replaced and deleted, and leaves what has changed since', async (t) => {
  const { user, source, tree, mirror } = await setting(t);
  await mirror();
  source.put('/from/a', 'newer a');
  source.put('/from/b', 'newer b');
  source.put('/from/e', 'new e');
  source.put('/to/from/old', 'to be deleted');
  source.put('/to/from/gone/deep/old', 'to be deleted too');
  source.put('/to/from/taken', 'its name is taken again');
  const before = tree('/to');
  const { transferId, canUndo } = await mirror();
  assert.ok(canUndo);
  source.put('/to/from/b', 'changed by hand');
  source.put('/to/from/taken', 'by another file');
  await user.ask(undoTransfer, { transferId });
  const { undoLeft } = await eventuallyUndone(async () => user.ask(oneTransfer, { transferId }));
  assert.equal(undoLeft, 2);
  assert.deepEqual(tree('/to'), {
    ...before,
    'from/b': 'changed by hand',
    'from/taken': 'by another file',
    '.sheaf-versions/DATE/from/b': 'new b',
    '.sheaf-versions/DATE/from/taken': 'its name is taken again',
  });
});

test('a storage that keeps neither versions nor deleted files is not trusted with those of a mirror', async (t) => {
  const { user, source, mirror, one, other } = await setting(t);
  const ends = { linkUri: [linkUriOf(one, '/from')], parentLinkUri: linkUriOf(other, '/to'), conflict: 'fail' as const };
  const refusal = await user.refusal(planTransfer, { ...ends, kind: 'mirror', keepVersions: 'provider' });
  assert.equal(refusal.messageCode, 'MIRROR_KEEPS_NOTHING');
  const when = { name: 'Nightly', cron: '0 2 * * *', timezone: 'UTC' };
  await user.ask(createSchedule, { ...ends, ...when, kind: 'copy', keepVersions: 'provider' });
  source.put('/to/from/old', 'kept');
  assert.equal((await mirror()).state, 'done');
});

test('what a mirror without a schedule has kept is removed once it can no longer be undone', async (t) => {
  const { services, source, tree, mirror } = await setting(t);
  await mirror();
  source.put('/from/a', 'newer a');
  await mirror();
  assert.equal(tree('/to')['.sheaf-versions/DATE/from/a'], 'new a');
  await services.sweeps['transfers']?.();
  const { db } = services.database;
  await db
    .updateTable('transfer')
    .set({ endedAt: Date.now() - (limits.undoDays + 1) * 86_400_000 })
    .execute();
  await services.sweeps['transfers']?.();
  await eventually(() => tree('/to')['.sheaf-versions/DATE/from/a'] === undefined, 'the version is removed');
  assert.equal(tree('/to')['from/a'], 'newer a');
});

test('when the storage keeps versions itself, no folder of versions is created', async (t) => {
  const { source, tree, mirror } = await setting(t, undefined, true);
  await mirror('provider');
  source.put('/from/a', 'newer a');
  source.put('/to/from/old', 'to be deleted');
  assert.equal((await mirror('provider')).state, 'done');
  assert.deepEqual(tree('/to/from'), tree('/from'));
  assert.equal(
    Object.keys(tree('/to')).some((path) => path.startsWith('.sheaf-versions')),
    false,
  );
});

test('a storage that cannot copy first gets the new file next to the old one, then the two swap places', async (t) => {
  const { user, source, tree, mirror, reached } = await setting(t);
  await mirror();
  source.put('/from/a', 'newer a');
  let isBroken = true;
  const old: (string | undefined)[] = [];
  source.setGate((operation, path) => {
    if (operation === 'copy') throw new ConnectorError('unsupported', 'as the test wants it');
    if (operation === 'write') old.push(tree('/to/from')['a']);
    if (operation === 'move' && path.endsWith('.incoming') && isBroken) throw new ConnectorError('forbidden', 'as the test wants it');
  });
  const failed = await mirror();
  assert.deepEqual([failed.itemsFailed, old], [1, ['new a']]);
  assert.equal(tree('/to/from')['a'], 'new a', 'the old file is back');
  assert.equal(
    Object.keys(tree('/to')).some((path) => path.startsWith('.sheaf')),
    false,
  );
  isBroken = false;
  await user.ask(retryTransfer, { transferId: failed.transferId });
  assert.equal((await reached(failed.transferId, 'done', 'failed')).state, 'done');
  assert.deepEqual(tree('/to/from'), tree('/from'));
  assert.deepEqual(
    Object.entries(tree('/to')).filter(([path]) => path.startsWith('.sheaf')),
    [['.sheaf-versions/DATE/from/a', 'new a']],
  );
});

test('a mirror deletes nothing until everything else has been copied', async (t) => {
  const { user, source, tree, mirror, reached } = await setting(t);
  await mirror();
  source.put('/from/a', 'newer a');
  source.put('/to/from/old', 'to be deleted');
  source.setGate((operation, path) => {
    if (operation === 'write' && path.endsWith('/a')) throw new ConnectorError('badName', 'as the test wants it');
  });
  const failed = await mirror();
  assert.deepEqual([failed.state, failed.itemsFailed, tree('/to/from')['old']], ['failed', 1, 'to be deleted']);
  source.setGate(() => undefined);
  await user.ask(retryTransfer, { transferId: failed.transferId });
  assert.equal((await reached(failed.transferId, 'done', 'failed')).state, 'done');
  assert.deepEqual(tree('/to/from'), tree('/from'));
});

test('a mirror that would delete more than half of the files stops and asks', async (t) => {
  const { source, tree, plan, mirror } = await setting(t);
  await mirror();
  for (const name of ['b', 'c']) source.put(`/to/from/${name} old`, 'old');
  assert.equal((await plan()).error, undefined);
  for (const name of ['d', 'e', 'f']) source.put(`/to/from/${name} old`, 'old');
  const planned = await plan();
  assert.deepEqual(
    [planned.state, planned.error?.messageCode, planned.error?.details],
    ['planned', 'MIRROR_DELETES_MOST', { count: '5', total: '9' }],
  );
  assert.equal(tree('/to/from')['f old'], 'old');
});

test('a mirror of an empty source, and one of a folder that cannot be listed, stop and ask', async (t) => {
  const { user, source, tree, plan, mirror, reached, actions } = await setting(t);
  await mirror();
  source.put('/to/from/old', 'old');
  source.setGate((operation, path) => {
    if (operation === 'list' && path === '/from/deep') throw new ConnectorError('forbidden', 'as the test wants it');
  });
  const unreadable = await plan();
  assert.deepEqual([unreadable.error?.messageCode, unreadable.problems], ['MIRROR_SOURCE_UNREADABLE', 1]);
  assert.equal((await actions(unreadable.transferId))['/to/from/deep/d'], undefined);
  await user.ask(startTransfer, { transferId: unreadable.transferId });
  assert.equal((await reached(unreadable.transferId, 'done', 'failed')).state, 'done');
  assert.deepEqual([tree('/to/from')['old'], tree('/to/from')['deep/d']], ['old', 'new deep/d']);
  source.setGate(() => undefined);
  const { children } = source.root.children.get('from') as { readonly children: Map<string, unknown> };
  children.clear();
  assert.equal((await plan()).error?.messageCode, 'MIRROR_SOURCE_EMPTY');
});

test('a file that changed at either end since the plan is not deleted', async (t) => {
  const { user, source, tree, plan, mirror, reached } = await setting(t);
  await mirror();
  source.put('/to/from/old', 'old');
  source.put('/to/from/older', 'older');
  const { transferId } = await plan();
  source.put('/to/from/old', 'edited since');
  source.put('/from/older', 'there again');
  await user.ask(startTransfer, { transferId });
  const ended = await reached(transferId, 'done', 'failed');
  assert.deepEqual([ended.state, ended.itemsFailed], ['failed', 1]);
  assert.deepEqual([tree('/to/from')['old'], tree('/to/from')['older']], ['edited since', 'older']);
});

test('a mirror that would delete its own source is refused, and its names cannot be decided', async (t) => {
  const { user, source, one, plan, mirror } = await setting(t);
  await mirror();
  source.put('/from/from/x', 'inner');
  const ends = { linkUri: [linkUriOf(one, '/from/from')], parentLinkUri: linkUriOf(one, '/') };
  const { transferId } = await user.ask(planTransfer, { kind: 'mirror', ...ends, conflict: 'fail' });
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'failed', 'it is refused');
  assert.equal((await user.ask(oneTransfer, { transferId })).error?.messageCode, 'INTO_ITSELF');
  const planned = await plan();
  assert.equal(
    (await user.refusal(changeTransferPlan, { transferId: planned.transferId, conflict: 'rename' })).messageCode,
    'TRANSFER_STATE',
  );
});

/** The transfer once its undo has ended. */
async function eventuallyUndone(read: () => Promise<Transfer>): Promise<Transfer> {
  let transfer: Transfer | undefined;
  await eventually(async () => {
    transfer = await read();
    return transfer.undoLeft !== undefined;
  }, 'the undo has ended');
  assert.ok(transfer);
  return transfer;
}
