import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWaitingLine } from './waiting-line.ts';

const reason = () => new Error('aborted');

test('waiters are called in the order of their arrival, the one in front first', async () => {
  const line = createWaitingLine();
  const { signal } = new AbortController();
  const order: string[] = [];
  const join = (name: string, isFirst = false) => line.join({ signal, reason, isFirst }).turn.then(() => order.push(name));
  const turns = [join('one'), join('two'), join('front', true)];
  while (line.callNext());
  await Promise.all(turns);
  assert.deepEqual(order, ['front', 'one', 'two']);
});

test('a waiter that leaves, or whose signal fires, is skipped and rejects at once', async () => {
  const line = createWaitingLine();
  const leaving = new AbortController();
  let departures = 0;
  const join = (signal: AbortSignal) => line.join({ signal, reason, left: () => departures++ });
  const [first, second, third] = [join(leaving.signal), join(new AbortController().signal), join(new AbortController().signal)];
  leaving.abort();
  second.leave(new Error('refused'));
  assert.equal(departures, 2);
  assert.equal(line.length, 1);
  assert.equal(line.callNext(), true);
  assert.equal(line.callNext(), false);
  await assert.rejects(first.turn, /aborted/);
  await assert.rejects(second.turn, /refused/);
  await third.turn;
});

test('leaving after being called has no effect', async () => {
  const line = createWaitingLine();
  const waiter = line.join({ signal: new AbortController().signal, reason });
  line.callNext();
  waiter.leave(new Error('too late'));
  await waiter.turn;
});

test('an already aborted signal keeps its owner out of the line', async () => {
  const line = createWaitingLine();
  await assert.rejects(line.join({ signal: AbortSignal.abort(), reason }).turn, /aborted/);
  assert.equal(line.length, 0);
});
