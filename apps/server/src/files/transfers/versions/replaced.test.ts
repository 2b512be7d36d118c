import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Connector, ConnectorError } from '@sheaf/connectors';
import type { MemorySource } from '@sheaf/connectors/memory';
import {
  type Transfer,
  type TransferState,
  cancelTransfer,
  copyObjects,
  limits,
  linkUriOf,
  moveObjects,
  oneTransfer,
  retryTransfer,
  transferPlan,
  undoTransfer,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { addSftp, linkApp } from '#/testing/links.ts';

/** Two links to one tree in memory; `/from/a` is to replace `/to/a`. */
async function setting(t: TestContext, changed: (connector: Connector, source: MemorySource) => Connector = (connector) => connector) {
  const { user, source, ...app } = await linkApp(t, { changed: (connector): Connector => changed(connector, source) });
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Other', { server: 'other.example' });
  source.put('/from/a', 'new a');
  source.put('/to/a', 'old a');

  /** Every file with its content; versions without their date. */
  function files(): Record<string, string> {
    const found: Record<string, string> = {};
    const walk = (node: unknown, path: string): void => {
      const { children, bytes } = node as { readonly children?: ReadonlyMap<string, unknown>; readonly bytes?: Buffer };
      if (bytes) found[path.replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[\w-]{6}/, 'DATE')] = bytes.toString();
      for (const [name, child] of children ?? []) walk(child, `${path}/${name}`);
    };
    walk(source.root, '');
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
  const run = async (call: typeof copyObjects, linkUri: string, parentLinkUri: string): Promise<Transfer> => {
    const { transferId } = await user.ask(call, { linkUri: [linkUri], parentLinkUri, conflict: 'replace' });
    return reached(transferId, 'done', 'failed');
  };
  /** Undoes the transfer and waits until the files are these. */
  async function undone({ transferId }: Transfer, wanted: Readonly<Record<string, string>>): Promise<void> {
    await user.ask(undoTransfer, { transferId });
    await eventually(async () => isDeepStrictEqual(files(), wanted), `the files are ${JSON.stringify(wanted)}`);
    await eventually(async () => (await user.ask(oneTransfer, { transferId })).undoLeft === 0, 'it says that everything is undone');
  }
  return {
    ...app,
    user,
    source,
    files,
    run,
    reached,
    undone,
    one: (path: string) => linkUriOf(one, path),
    other: (path: string) => linkUriOf(other, path),
  };
}

const before = { '/from/a': 'new a', '/to/a': 'old a' };

const refuseCopies = (operation: string): void => {
  if (operation === 'copy') throw new ConnectorError('unsupported', 'as the test wants it');
};

for (const [what, gate] of [
  ['copies files by itself', () => undefined],
  ['only moves them', refuseCopies],
] as const)
  test(`what a copy replaced is kept and comes back with undo, where the destination ${what}`, async (t) => {
    const { source, files, run, undone, one, other } = await setting(t);
    source.setGate(gate);
    const done = await run(copyObjects, one('/from/a'), other('/to'));
    assert.equal(done.state, 'done', JSON.stringify(done));
    assert.deepEqual(files(), { '/from/a': 'new a', '/to/a': 'new a', '/to/.sheaf-versions/DATE/a': 'old a' });
    await undone(done, before);
    const { children } = source.root.children.get('to') as { readonly children: ReadonlyMap<string, unknown> };
    assert.deepEqual([...children.keys()], ['a'], 'no empty folder of versions is left');
  });

for (const [what, gate] of [
  ['copies files by itself', () => undefined],
  ['only moves them', refuseCopies],
] as const)
  test(`what a move to another link replaced comes back with undo, where the destination ${what}`, async (t) => {
    const { source, files, run, undone, one, other } = await setting(t);
    source.setGate(gate);
    const done = await run(moveObjects, one('/from/a'), other('/to'));
    assert.equal(done.state, 'done', JSON.stringify(done));
    assert.deepEqual(files(), { '/to/a': 'new a', '/to/.sheaf-versions/DATE/a': 'old a' });
    await undone(done, before);
  });

test('a move within one link keeps what it replaced, and sends no bytes', async (t) => {
  const { source, files, run, undone, one } = await setting(t);
  const operations: string[] = [];
  source.setGate((operation) => {
    operations.push(operation);
  });
  const done = await run(moveObjects, one('/from/a'), one('/to'));
  assert.equal(done.state, 'done', JSON.stringify(done));
  assert.deepEqual(files(), { '/to/a': 'new a', '/to/.sheaf-versions/DATE/a': 'old a' });
  assert.deepEqual(
    operations.filter((operation) => operation === 'read' || operation === 'write'),
    [],
  );
  await undone(done, before);
});

test('undo leaves a file that has changed since it replaced another, and keeps the old one', async (t) => {
  const { user, source, files, run, one, other } = await setting(t);
  const { transferId } = await run(copyObjects, one('/from/a'), other('/to'));
  source.put('/to/a', 'edited since');
  await user.ask(undoTransfer, { transferId });
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).undoLeft === 1, 'it says that one item has stayed');
  const { items } = await user.ask(transferPlan, { transferId, offset: 0, limit: 25 });
  assert.deepEqual(
    items.map(({ undo }) => undo),
    ['left'],
  );
  assert.deepEqual(files(), { '/from/a': 'new a', '/to/a': 'edited since', '/to/.sheaf-versions/DATE/a': 'old a' });
});

test('a replaced file stays what it was when the new bytes arrive damaged, whether the destination copies files by itself or only moves them', async (t) => {
  const damaged = async (gate: (operation: string) => void): Promise<void> => {
    let isDamaging = true;
    const { user, source, files, run, reached, one, other } = await setting(t, (connector, memory) => ({
      ...connector,
      async write(path, body, ask) {
        const entry = await connector.write?.(path, body, ask);
        if (entry && !isDamaging) return entry;
        memory.put(path, 'NEW A');
        return connector.stat(path, ask);
      },
    }));
    source.setGate(gate);
    const failed = await run(copyObjects, one('/from/a'), other('/to'));
    assert.deepEqual([failed.state, files()['/to/a'], files()['/from/a']], ['failed', 'old a', 'new a'], JSON.stringify(failed));
    isDamaging = false;
    await user.ask(retryTransfer, { transferId: failed.transferId });
    assert.equal((await reached(failed.transferId, 'done', 'failed')).state, 'done');
    assert.deepEqual(files(), { '/from/a': 'new a', '/to/a': 'new a', '/to/.sheaf-versions/DATE/a': 'old a' });
  };
  await Promise.all([damaged(() => undefined), damaged(refuseCopies)]);
});

test('what a copy replaced is removed for good once it can no longer be undone, and nothing else', async (t) => {
  const { user, source, services, files, run, one, other } = await setting(t);
  const { transferId, undoUntil } = await run(copyObjects, one('/from/a'), other('/to'));
  assert.ok(undoUntil !== undefined && undoUntil > Date.now());
  source.put('/to/.sheaf-versions/mine', 'not of a transfer');
  const { db } = services.database;
  await services.sweeps['transfers']?.();
  await db
    .updateTable('transfer')
    .set({ endedAt: Date.now() - (limits.undoDays + 1) * 86_400_000 })
    .where('id', '=', transferId)
    .execute();
  assert.deepEqual([(await user.ask(oneTransfer, { transferId })).canUndo, files()['/to/.sheaf-versions/DATE/a']], [false, 'old a']);
  assert.equal((await user.refusal(undoTransfer, { transferId })).messageCode, 'TRANSFER_STATE');
  await services.sweeps['transfers']?.();
  await eventually(async () => files()['/to/.sheaf-versions/DATE/a'] === undefined, 'the version is gone');
  assert.deepEqual(files(), { '/from/a': 'new a', '/to/a': 'new a', '/to/.sheaf-versions/mine': 'not of a transfer' });
});

test('a copy whose process died for good while the files changed places brings the old one back', async (t) => {
  const { user, source, services, secondInstance, files, one, other } = await setting(t);
  const held = Promise.withResolvers<void>();
  let isBetween = false;
  source.setGate(async (operation, path) => {
    refuseCopies(operation);
    if (operation !== 'move' || !path.endsWith('.incoming') || isBetween) return;
    isBetween = true;
    await held.promise;
  });
  const { transferId } = await user.ask(copyObjects, { linkUri: [one('/from/a')], parentLinkUri: other('/to'), conflict: 'replace' });
  await eventually(() => isBetween, 'the old file has been moved, and the new one not yet');
  assert.equal(files()['/to/a'], undefined);
  // As if this process had been silent for long, after ten others had ended.
  await services.db.updateTable('job').set({ attempts: 10, dueAt: 0 }).where('kind', '=', 'transfers.run').execute();
  await secondInstance({ findDefinition: async () => source.definition });
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'failed', 'the transfer has failed');
  await eventually(() => isDeepStrictEqual(files(), before), 'the old file is back');
  held.resolve();
  await user.ask(retryTransfer, { transferId });
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).state === 'done', 'the retry is done');
  assert.deepEqual(files(), { '/from/a': 'new a', '/to/a': 'new a', '/to/.sheaf-versions/DATE/a': 'old a' });
});

test('a copy that is cancelled while the files change places brings the old one back', async (t) => {
  const { user, source, files, one, other } = await setting(t);
  const held = Promise.withResolvers<void>();
  let isBetween = false;
  source.setGate(async (operation, path) => {
    refuseCopies(operation);
    if (operation !== 'move' || !path.endsWith('.incoming') || isBetween) return;
    isBetween = true;
    await held.promise;
  });
  const { transferId } = await user.ask(copyObjects, { linkUri: [one('/from/a')], parentLinkUri: other('/to'), conflict: 'replace' });
  await eventually(() => isBetween, 'the old file has been moved, and the new one not yet');
  assert.equal(files()['/to/a'], undefined);
  await user.ask(cancelTransfer, { transferId });
  held.resolve();
  await eventually(() => isDeepStrictEqual(files(), before), 'the old file is back');
});
