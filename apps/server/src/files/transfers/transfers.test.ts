import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type Transfer,
  type TransferState,
  cancelTransfer,
  changeTransferPlan,
  copyObjects,
  limitTransfer,
  linkUriOf,
  listTransfers,
  moveObjects,
  oneTransfer,
  pauseTransfer,
  planTransfer,
  resumeTransfer,
  retryTransfer,
  startTransfer,
  transferPlan,
  transferReport,
  undoTransfer,
} from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import type { User } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';

const page = { offset: 0, limit: 100 };

/** The transfer once it is in one of these states. */
async function reached(user: User, transferId: string, ...states: readonly TransferState[]): Promise<Transfer> {
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

/** Two links to one tree in memory, with files in `/from` and `/to`. */
async function setting(t: TestContext) {
  const { user, source, ...app } = await linkApp(t, { partSize: 1024 * 1024 });
  const { userLinkId: one } = await addSftp(user, 'One', { server: 'one.example' });
  const { userLinkId: other } = await addSftp(user, 'Other', { server: 'other.example' });
  source.put('/from/a.txt', 'a');
  source.put('/from/deep/er/b.txt', 'bb');
  source.put('/from/deep/c.txt', 'ccc');
  source.put('/to/keep.txt', 'kept');
  const contentOf = (path: string): string | undefined => {
    let node: unknown = source.root;
    for (const name of path.split('/').slice(1)) {
      const { children } = node as { readonly children?: ReadonlyMap<string, unknown> };
      node = children?.get(name);
      if (node === undefined) return undefined;
    }
    return (node as { readonly bytes?: Buffer }).bytes?.toString() ?? 'a folder';
  };
  return { ...app, user, source, contentOf, from: (path: string) => linkUriOf(one, path), to: (path: string) => linkUriOf(other, path) };
}

test('a folder is copied to another link with everything in it, proven by hashes', async (t) => {
  const { user, contentOf, from, to } = await setting(t);
  const { transferId } = await user.ask(copyObjects, { linkUri: [from('/from')], parentLinkUri: to('/to'), conflict: 'fail' });
  const done = await reached(user, transferId, 'done', 'failed', 'planned');
  assert.equal(done.state, 'done', JSON.stringify(done));
  assert.deepEqual(
    done.from.map(({ path, isFolder }) => [path, isFolder]),
    [['One/from', true]],
  );
  assert.deepEqual([done.itemsDone, done.itemsTotal, done.bytesDone, done.bytesTotal, done.itemsFailed], [6, 6, 6, 6, 0]);
  assert.deepEqual(['/to/from/a.txt', '/to/from/deep/er/b.txt', '/to/from/deep/c.txt', '/from/a.txt', '/to/keep.txt'].map(contentOf), [
    'a',
    'bb',
    'ccc',
    'a',
    'kept',
  ]);
  const { items, counts } = await user.ask(transferPlan, { transferId, ...page });
  assert.deepEqual(counts, { create: 6, merge: 0, replace: 0, rename: 0, skip: 0, delete: 0, problem: 0 });
  assert.deepEqual(new Set(items.filter(({ fileType }) => fileType === 'FILE').map(({ proof }) => proof)), new Set(['hash']));
  const { transfers, total } = await user.ask(listTransfers, { offset: 0, limit: 25 });
  assert.deepEqual([transfers.map((one) => one.transferId), total], [[transferId], 1]);
});

test('a plan shows what each rule would do with taken names, before a byte moves', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  source.put('/to/a.txt', 'old a');
  source.put('/to/deep/c.txt', 'old c');
  const sources = [from('/from/a.txt'), from('/from/deep')];
  const { transferId } = await user.ask(copyObjects, { linkUri: sources, parentLinkUri: to('/to'), conflict: 'fail' });
  const planned = await reached(user, transferId, 'planned', 'done', 'failed');
  assert.deepEqual([planned.state, planned.problems], ['planned', 2]);
  assert.equal(contentOf('/to/deep/er/b.txt'), undefined);
  const actions = async () =>
    Object.fromEntries(
      (await user.ask(transferPlan, { transferId, ...page })).items.map(({ from: path, action, to: target }) => [
        path,
        `${action} ${target}`,
      ]),
    );
  assert.deepEqual(await actions(), {
    '/from/a.txt': 'problem /to/a.txt',
    '/from/deep': 'merge /to/deep',
    '/from/deep/er': 'create /to/deep/er',
    '/from/deep/c.txt': 'problem /to/deep/c.txt',
    '/from/deep/er/b.txt': 'create /to/deep/er/b.txt',
  });
  const { items } = await user.ask(transferPlan, { transferId, ...page, only: 'problem' });
  assert.deepEqual(
    items.map(({ reason }) => reason),
    ['name_taken', 'name_taken'],
  );
  await user.ask(changeTransferPlan, { transferId, conflict: 'replace' });
  await user.ask(changeTransferPlan, {
    transferId,
    conflict: 'rename',
    itemId: [items.find(({ from: path }) => path === '/from/a.txt')?.itemId ?? ''],
  });
  assert.deepEqual((await actions())['/from/a.txt'], 'rename /to/a 2.txt');
  await user.ask(startTransfer, { transferId });
  const done = await reached(user, transferId, 'done', 'failed');
  assert.equal(done.state, 'done', JSON.stringify(done));
  assert.deepEqual(['/to/a.txt', '/to/a 2.txt', '/to/deep/c.txt', '/to/deep/er/b.txt'].map(contentOf), ['old a', 'a', 'ccc', 'bb']);
});

test('a move removes each file at its source only after its copy is there, and then the empty folders', async (t) => {
  const { user, contentOf, from, to } = await setting(t);
  const { transferId } = await user.ask(moveObjects, { linkUri: [from('/from')], parentLinkUri: to('/to'), conflict: 'fail' });
  const done = await reached(user, transferId, 'done', 'failed');
  assert.equal(done.state, 'done', JSON.stringify(done));
  assert.deepEqual(['/from', '/to/from/deep/er/b.txt', '/to/from/a.txt'].map(contentOf), [undefined, 'bb', 'a']);
});

test('within one link the source itself moves a folder, in one step', async (t) => {
  const { user, contentOf, from } = await setting(t);
  const { transferId } = await user.ask(moveObjects, { linkUri: [from('/from/deep')], parentLinkUri: from('/to'), conflict: 'fail' });
  const done = await reached(user, transferId, 'done', 'failed');
  assert.deepEqual([done.state, done.itemsTotal], ['done', 1], JSON.stringify(done));
  assert.deepEqual(['/from/deep', '/to/deep/er/b.txt'].map(contentOf), [undefined, 'bb']);
});

test('a copy next to the original gets a number, and a folder is never copied into itself', async (t) => {
  const { user, contentOf, from } = await setting(t);
  const { transferId } = await user.ask(copyObjects, { linkUri: [from('/from/a.txt')], parentLinkUri: from('/from'), conflict: 'fail' });
  assert.equal((await reached(user, transferId, 'done', 'failed', 'planned')).state, 'done');
  assert.equal(contentOf('/from/a 2.txt'), 'a');
  const into = await user.ask(copyObjects, { linkUri: [from('/from')], parentLinkUri: from('/from/deep'), conflict: 'fail' });
  const failed = await reached(user, into.transferId, 'failed', 'done', 'planned');
  assert.deepEqual([failed.state, failed.error?.messageCode], ['failed', 'INTO_ITSELF']);
  assert.equal(contentOf('/from/deep/from'), undefined);
});

test('a paused transfer stops, and resumes where it was', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  const bytes = Buffer.alloc(40 * 1024 * 1024, 'x');
  source.put('/from/large.bin', bytes);
  let isHeld = true;
  const held = Promise.withResolvers<void>();
  const sent: number[] = [];
  source.setGate(async (operation) => {
    if (operation === 'sendPart') {
      if (isHeld && sent.length === 3) await held.promise;
      sent.push(1);
    }
  });
  const { transferId } = await user.ask(copyObjects, { linkUri: [from('/from/large.bin')], parentLinkUri: to('/to'), conflict: 'fail' });
  await eventually(async () => sent.length === 3, 'three parts are there');
  await user.ask(pauseTransfer, { transferId });
  isHeld = false;
  held.resolve();
  assert.equal((await user.ask(oneTransfer, { transferId })).state, 'paused');
  await user.ask(resumeTransfer, { transferId });
  const done = await reached(user, transferId, 'done', 'failed');
  assert.equal(done.state, 'done', (await user.send(transferReport, { transferId, format: 'json' })).body);
  assert.ok(sent.length <= 46, `${sent.length} parts of 40 were sent`);
  assert.equal(contentOf('/to/large.bin')?.length, bytes.length);
});

test('the limit of a running transfer can be lifted', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  source.put('/from/large.bin', Buffer.alloc(8 * 1024 * 1024, 'x'));
  const wish = { linkUri: [from('/from/large.bin')], parentLinkUri: to('/to'), conflict: 'fail' as const };
  // It would take two hours.
  const { transferId } = await user.ask(copyObjects, { ...wish, bytesPerSecond: 1024 });
  assert.equal((await reached(user, transferId, 'running', 'done')).bytesPerSecond, 1024);
  const free = await user.ask(limitTransfer, { transferId });
  assert.deepEqual([free.state, free.bytesPerSecond], ['running', undefined]);
  assert.equal((await reached(user, transferId, 'done', 'failed')).state, 'done');
  assert.equal(contentOf('/to/large.bin')?.length, 8 * 1024 * 1024);
  assert.equal((await user.refusal(limitTransfer, { transferId, bytesPerSecond: 2048 })).messageCode, 'TRANSFER_STATE');
});

test('a cancelled transfer leaves no parts behind', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  source.put('/from/large.bin', Buffer.alloc(40 * 1024 * 1024, 'x'));
  const held = Promise.withResolvers<void>();
  let sent = 0;
  const abandoned: string[] = [];
  source.setGate(async (operation, path) => {
    if (operation === 'sendPart' && ++sent > 3) await held.promise;
    if (operation === 'abandonUpload') abandoned.push(path);
  });
  const { transferId } = await user.ask(copyObjects, { linkUri: [from('/from/large.bin')], parentLinkUri: to('/to'), conflict: 'fail' });
  await eventually(() => sent > 3, 'three parts are there');
  assert.equal((await user.ask(cancelTransfer, { transferId })).state, 'canceled');
  held.resolve();
  await eventually(() => abandoned.length > 0, 'the upload is abandoned');
  assert.deepEqual([abandoned, contentOf('/to/large.bin')], [['/to/large.bin'], undefined]);
  assert.equal((await user.refusal(resumeTransfer, { transferId })).messageCode, 'TRANSFER_STATE');
});

test('an upload that has gone at the destination begins again', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  const { ConnectorError } = await import('@sheaf/connectors');
  const content = 'x'.repeat(33 * 1024 * 1024);
  source.put('/from/large.bin', content);
  let parts = 0;
  source.setGate((operation) => {
    if (operation === 'sendPart' && ++parts === 3) throw new ConnectorError('notFound', 'as the test wants it');
  });
  const { transferId } = await user.ask(copyObjects, { linkUri: [from('/from/large.bin')], parentLinkUri: to('/to'), conflict: 'fail' });
  const done = await reached(user, transferId, 'done', 'failed');
  assert.equal(done.state, 'done', JSON.stringify(done));
  assert.ok(contentOf('/to/large.bin') === content);
});

test('undo removes what a copy made and nothing that has changed since', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  const { transferId } = await user.ask(copyObjects, { linkUri: [from('/from')], parentLinkUri: to('/to'), conflict: 'fail' });
  assert.equal((await reached(user, transferId, 'done', 'failed')).canUndo, true);
  source.put('/to/from/deep/c.txt', 'edited since');
  assert.equal((await user.ask(undoTransfer, { transferId })).canUndo, false);
  await eventually(async () => contentOf('/to/from/a.txt') === undefined, 'the copies are gone');
  await eventually(async () => contentOf('/to/from/deep/er') === undefined, 'the empty folder is gone');
  assert.deepEqual(['/to/from/deep/c.txt', '/to/keep.txt', '/from/a.txt'].map(contentOf), ['edited since', 'kept', 'a']);
});

test('undo of a move brings each file back to where it was, but not those that have changed since', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  source.put('/to/from/kept.txt', 'there before');
  const { transferId } = await user.ask(moveObjects, { linkUri: [from('/from')], parentLinkUri: to('/to'), conflict: 'fail' });
  assert.equal((await reached(user, transferId, 'done', 'failed')).canUndo, true);
  source.put('/to/from/deep/c.txt', 'edited since');
  assert.equal((await user.ask(undoTransfer, { transferId })).canUndo, false);
  await eventually(async () => contentOf('/from/a.txt') === 'a' && contentOf('/to/from/deep/er') === undefined, 'the files are back');
  assert.deepEqual(
    ['/from/deep/er/b.txt', '/from/deep/c.txt', '/to/from/a.txt', '/to/from/deep/c.txt', '/to/from/kept.txt'].map(contentOf),
    ['bb', undefined, undefined, 'edited since', 'there before'],
  );
});

test('undo of a move within one link moves the whole folder back', async (t) => {
  const { user, contentOf, from } = await setting(t);
  const { transferId } = await user.ask(moveObjects, { linkUri: [from('/from/deep')], parentLinkUri: from('/to'), conflict: 'fail' });
  await reached(user, transferId, 'done', 'failed');
  await user.ask(undoTransfer, { transferId });
  await eventually(async () => contentOf('/from/deep/er/b.txt') === 'bb', 'the folder is back');
  assert.equal(contentOf('/to/deep'), undefined);
});

test('undo of a move replaces nothing that has taken the old place, and says so', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  const { transferId } = await user.ask(moveObjects, { linkUri: [from('/from/a.txt')], parentLinkUri: to('/to'), conflict: 'fail' });
  await reached(user, transferId, 'done', 'failed');
  source.put('/from/a.txt', 'another');
  await user.ask(undoTransfer, { transferId });
  await eventually(async () => (await user.ask(oneTransfer, { transferId })).error?.messageCode === 'NAME_TAKEN', 'it says so');
  assert.deepEqual(['/from/a.txt', '/to/a.txt'].map(contentOf), ['another', 'a']);
  // Once the place is free, it can be tried again.
  source.root.children.delete('from');
  assert.equal((await user.ask(oneTransfer, { transferId })).canUndo, true);
  await user.ask(undoTransfer, { transferId });
  await eventually(async () => contentOf('/from/a.txt') === 'a', 'the file is back');
});

test('a file that cannot be stored fails alone, and the report says why', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  const { ConnectorError } = await import('@sheaf/connectors');
  source.setGate((operation, path) => {
    if (operation === 'write' && path.endsWith('/c.txt')) throw new ConnectorError('badName', 'as the test wants it');
  });
  const { transferId } = await user.ask(copyObjects, { linkUri: [from('/from')], parentLinkUri: to('/to'), conflict: 'fail' });
  const failed = await reached(user, transferId, 'done', 'failed');
  assert.deepEqual([failed.state, failed.itemsFailed, failed.itemsDone], ['failed', 1, 5]);
  assert.equal(contentOf('/to/from/a.txt'), 'a');
  const csv = (await user.send(transferReport, { transferId, format: 'csv' })).body;
  assert.match(csv, /^from,to,bytes,state,proof/);
  assert.match(csv, /\/from\/deep\/c\.txt,[^\n]*failed[^\n]*cannot store an item named/);
  const lines = (await user.send(transferReport, { transferId, format: 'json' })).body.trim().split('\n');
  assert.deepEqual(lines.map((line) => (JSON.parse(line) as { state: string }).state).sort(), ['done', 'done', 'failed']);
});

test('the report says why the size of a file is all that was compared', async (t) => {
  const { user, from, to } = await setting(t);
  for (const [verify, proof, proofReason] of [
    ['size', 'size', 'only_sizes_were_wanted'],
    ['auto', 'hash', null],
  ] as const) {
    const wish = { linkUri: [from('/from/a.txt')], parentLinkUri: to('/to'), conflict: 'rename' as const, verify };
    const { transferId } = await user.ask(copyObjects, wish);
    assert.equal((await reached(user, transferId, 'done', 'failed')).state, 'done');
    const line = JSON.parse((await user.send(transferReport, { transferId, format: 'json' })).body) as Record<string, unknown>;
    assert.deepEqual([line['proof'], line['proofReason']], [proof, proofReason]);
  }
});

test('one failed item is tried again by itself', async (t) => {
  const { user, source, contentOf, from, to } = await setting(t);
  const { ConnectorError } = await import('@sheaf/connectors');
  source.setGate((operation, path) => {
    if (operation === 'write' && path.startsWith('/to/from/deep')) throw new ConnectorError('badName', 'as the test wants it');
  });
  const { transferId } = await user.ask(copyObjects, { linkUri: [from('/from')], parentLinkUri: to('/to'), conflict: 'fail' });
  assert.equal((await reached(user, transferId, 'done', 'failed')).itemsFailed, 2);
  source.setGate(() => undefined);
  const { items } = await user.ask(transferPlan, { transferId, ...page, state: 'failed' });
  const itemId = items.find(({ from: path }) => path.endsWith('/c.txt'))?.itemId ?? '';
  await user.ask(retryTransfer, { transferId, itemId: [itemId] });
  const again = await reached(user, transferId, 'done', 'failed');
  assert.deepEqual([again.state, again.itemsFailed], ['failed', 1]);
  assert.deepEqual(['/to/from/deep/c.txt', '/to/from/deep/er/b.txt'].map(contentOf), ['ccc', undefined]);
  await user.ask(retryTransfer, { transferId });
  assert.equal((await reached(user, transferId, 'done')).itemsFailed, 0);
});

test('a transfer belongs to its account alone', async (t) => {
  const { user, signUp, from, to } = await setting(t);
  const { transferId } = await user.ask(planTransfer, {
    kind: 'copy',
    linkUri: [from('/from')],
    parentLinkUri: to('/to'),
    conflict: 'fail',
  });
  const stranger = await signUp();
  assert.equal((await stranger.refusal(oneTransfer, { transferId })).messageCode, 'TRANSFER_GONE');
  assert.equal((await stranger.refusal(startTransfer, { transferId })).messageCode, 'TRANSFER_GONE');
  const theirs = { linkUri: [from('/from')], parentLinkUri: to('/to'), conflict: 'fail' as const };
  assert.equal((await stranger.refusal(copyObjects, theirs)).messageCode, 'INVALID_LINK_URI');
  assert.equal((await reached(user, transferId, 'planned', 'running', 'done')).state, 'planned');
});
