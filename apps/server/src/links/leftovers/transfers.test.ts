import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AppError } from '@sheaf/contract';
import { eventually } from '@sheaf/testbed';
import { newId } from '#/platform/ids.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { createNotes, transferLease } from './notes.ts';
import { type DueLeftover, createLeftoverStore } from './store.ts';
import { createTransfers } from './transfers.ts';

const signal = (): AbortSignal => AbortSignal.timeout(20_000);
const move = { kind: 'move', from: '/a/album', to: '/a/holiday' } as const;
const refused = ({ messageCode }: AppError): boolean => messageCode === 'RENAME_UNDER_WAY';

/** A process with a link, and the part that finishes moves of dead processes. */
async function setting(t: TestContext, finish: (leftover: DueLeftover) => Promise<void>) {
  let time = 1_800_000_000;
  const now = () => time;
  const { services, user } = await linkApp(t, { now });
  const store = createLeftoverStore(services.database);
  const { userLinkId } = await addSftp(user, 'One');
  const notes = createNotes({ store, newId, now, later: services.background.start, onTrouble: (error) => assert.fail(String(error)) });
  let looks = 0;
  const find: typeof store.find = (id) => store.find(id).finally(() => (looks += 1));
  const transfers = createTransfers({ store: { ...store, find }, now, clearOne: finish });
  return {
    store,
    notes,
    transfers,
    linkId: userLinkId,
    pass: (seconds: number) => void (time += seconds),
    /** How often a waiting call has looked whether the move is still there. */
    looks: () => looks,
  };
}

test('while a move runs, its items, their contents and their parents cannot be changed; others can', async (t) => {
  const { notes, transfers, linkId } = await setting(t, () => assert.fail('it is alive'));
  const { kept, gone } = notes.of(linkId).note('move', move);
  await kept;
  const aborted = AbortSignal.abort();
  for (const path of ['/a/album', '/a/holiday', '/a/album/deep/file', '/a/holiday/file', '/a'])
    await assert.rejects(transfers.check(linkId, path, aborted), refused, path);
  for (const path of ['/a/album 2', '/b', '/a/other']) await transfers.check(linkId, path, aborted);
  const taken = new Error('taken');
  assert.ok(refused((await transfers.explain(linkId, '/a/holiday', taken)) as AppError));
  assert.equal(await transfers.explain(linkId, '/a/holiday/file', taken), taken);
  // A change right after the end waits for the note's deletion.
  const checked = transfers.check(linkId, '/a/album', signal());
  gone();
  await checked;
});

test('a repeated move waits for the first one', async (t) => {
  const { notes, transfers, linkId, looks } = await setting(t, () => assert.fail('it is alive'));
  const { kept, gone } = notes.of(linkId).note('move', move);
  await kept;
  assert.equal(await transfers.join(linkId, move.from, '/a/else', signal()), false);
  let hasJoined = false;
  const joined = transfers.join(linkId, move.from, move.to, signal()).finally(() => (hasJoined = true));
  await eventually(() => looks() > 0, 'it has found the first one');
  assert.equal(hasJoined, false);
  gone();
  assert.equal(await joined, true);
});

test('a repeated move finishes the first one when its process has died, and reports why it cannot', async (t) => {
  const refusal = new Error('no line');
  let outcomes: (Error | undefined)[] = [refusal, undefined];
  const { store, notes, transfers, linkId, pass } = await setting(t, async (leftover) => {
    const [outcome, ...rest] = outcomes;
    outcomes = rest;
    if (outcome) {
      await store.fail(leftover.id, leftover.dueAt + 10_000);
      throw outcome;
    }
    await store.remove([leftover.id]);
  });
  await notes.of(linkId).note('move', move).kept;
  pass(transferLease);
  await assert.rejects(transfers.join(linkId, move.from, move.to, signal()), refusal);
  // A failed one is retried later, and nobody waits for it.
  await transfers.check(linkId, move.from, AbortSignal.abort());
  assert.deepEqual(await transfers.movesOf(linkId), []);
  assert.equal(await transfers.join(linkId, move.from, move.to, signal()), true);
  assert.equal(await transfers.join(linkId, move.from, move.to, signal()), false);
});

test('a process killed in a move counts as dead after half a minute, one in an upload after five', async (t) => {
  const { store, notes, linkId } = await setting(t, () => assert.fail('nobody waits'));
  const writing = notes.of(linkId);
  await Promise.all([writing.note('move', move).kept, writing.note('upload').kept]);
  const due = async (seconds: number) => (await store.due(1_800_000_000 + seconds, 10)).map(({ note }) => note);
  assert.deepEqual([await due(29), await due(30), await due(300)], [[], ['move'], ['move', 'upload']]);
});
