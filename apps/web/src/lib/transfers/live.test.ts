import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transfer } from '@sheaf/contract';
import { type EventHandlers, createLiveTransfers } from './live.ts';

const transfer = (transferId: string, change: Partial<Transfer> = {}): Transfer => ({
  transferId,
  kind: 'copy',
  state: 'running',
  bytesDone: 0,
  bytesTotal: 100,
  bytesSentTwice: 0,
  itemsDone: 0,
  itemsTotal: 1,
  itemsFailed: 0,
  problems: 0,
  from: [],
  to: { linkUri: '/l', path: 'L', isFolder: true },
  conflict: 'fail',
  verify: 'auto',
  createdAt: Number(transferId),
  canUndo: false,
  ...change,
});

/** A server and a clock that the test moves. */
function world(...known: readonly Transfer[]) {
  const transfers = new Map(known.map((one) => [one.transferId, one]));
  const streams: EventHandlers[] = [];
  const timers: { readonly work: () => void; readonly at: number }[] = [];
  let time = 0;
  let open = 0;
  let lists = 0;
  const live = createLiveTransfers({
    list: () => {
      lists += 1;
      return Promise.resolve([...transfers.values()]);
    },
    one: (transferId) => Promise.resolve(transfers.get(transferId) ?? transfer(transferId)),
    listen: (handlers) => {
      streams.push(handlers);
      open += 1;
      return () => (open -= 1);
    },
    now: () => time,
    later: (work, milliseconds) => {
      const timer = { work, at: time + milliseconds };
      timers.push(timer);
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
    },
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    live,
    transfers,
    settled,
    stream: (): EventHandlers => streams.at(-1) ?? assert.fail('no stream was opened'),
    openStreams: () => open,
    lists: () => lists,
    /** Lets that much time pass. */
    async pass(milliseconds: number): Promise<void> {
      const end = time + milliseconds;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers.splice(timers.indexOf(next), 1);
        time = next.at;
        next.work();
        await settled();
      }
      time = end;
    },
  };
}

test('a stream is open only while a transfer runs or is shown', async () => {
  const { live, settled, openStreams, stream } = world(transfer('1', { state: 'done' }));
  live.start();
  await settled();
  assert.equal(openStreams(), 0, 'nothing runs');
  const leave = live.view();
  assert.equal(openStreams(), 1, 'a screen shows them');
  leave();
  assert.equal(openStreams(), 0);
  await live.track('2');
  assert.equal(openStreams(), 1, 'one was begun here');
  assert.deepEqual([live.isOwn('2'), live.isOwn('1'), live.ownTotal()], [true, false, 1]);
  stream().onTransfer(transfer('2', { state: 'done', bytesDone: 100 }));
  assert.equal(openStreams(), 0, 'it has ended');
  assert.deepEqual(
    live.list().map(({ transferId, state }) => `${transferId} ${state}`),
    ['2 done', '1 done'],
  );
});

test('a transfer that ends before the stream has opened is not missed', async () => {
  const { live, settled, stream, transfers } = world();
  live.start();
  await settled();
  await live.track('1');
  transfers.set('1', transfer('1', { state: 'done' }));
  stream().onOpen();
  await settled();
  assert.equal(live.list()[0]?.state, 'done');
});

test('while the stream is down the list is polled, and missed events are loaded when it returns', async () => {
  const { live, settled, pass, stream, lists, openStreams, transfers } = world(transfer('1'));
  live.start();
  await settled();
  assert.equal(lists(), 1);
  await pass(10_000);
  assert.equal(lists(), 1, 'events suffice');
  stream().onBreak(false);
  transfers.set('1', transfer('1', { bytesDone: 50 }));
  await pass(3000);
  assert.equal(live.list()[0]?.bytesDone, 50);
  await pass(3000);
  assert.equal(lists(), 3);
  transfers.set('1', transfer('1', { bytesDone: 90 }));
  stream().onOpen();
  await settled();
  assert.equal(live.list()[0]?.bytesDone, 90);
  await pass(10_000);
  assert.equal(lists(), 4, 'no polling any more');
  stream().onBreak(true);
  assert.equal(openStreams(), 0, 'a stream that was refused is closed');
  await pass(29_000);
  assert.equal(openStreams(), 0);
  assert.ok(lists() > 10, 'and polling goes on');
  await pass(2000);
  assert.equal(openStreams(), 1, 'until it is opened again');
});

test('a hidden page keeps no connection: it polls now and then, and at once when it is visible again', async () => {
  const { live, settled, pass, lists, openStreams } = world(transfer('1'));
  live.start();
  await settled();
  live.setVisible(false);
  assert.equal(openStreams(), 0);
  await pass(30_000);
  assert.equal(lists(), 4);
  live.setVisible(true);
  await settled();
  assert.deepEqual([lists(), openStreams()], [5, 1]);
  const { live: idle, settled: idled, pass: wait, lists: looks } = world(transfer('1', { state: 'done' }));
  idle.start();
  idle.view();
  await idled();
  idle.setVisible(false);
  const before = looks();
  await wait(60_000);
  assert.equal(looks(), before, 'nothing runs: nobody looks');
});

test('the speed follows the events, and a stall shows without any', async () => {
  const { live, settled, pass, stream } = world(transfer('1'));
  live.start();
  await settled();
  await pass(1000);
  stream().onTransfer(transfer('1', { bytesDone: 20 }));
  assert.deepEqual([live.list()[0]?.rate, live.list()[0]?.secondsLeft], [20, undefined]);
  await pass(2000);
  stream().onTransfer(transfer('1', { bytesDone: 60 }));
  assert.deepEqual([live.list()[0]?.rate, live.list()[0]?.secondsLeft], [20, 2]);
  await pass(15_000);
  assert.deepEqual([live.list()[0]?.rate, live.list()[0]?.secondsLeft], [0, undefined]);
});

test('an end is reported once, also for a transfer that ended at once', async () => {
  const { live, settled, stream, transfers } = world(transfer('1'), transfer('2', { state: 'done' }));
  const ends: string[] = [];
  live.onEnd(({ transferId }) => ends.push(transferId));
  live.start();
  await settled();
  stream().onTransfer(transfer('1', { state: 'done' }));
  stream().onTransfer(transfer('1', { state: 'done' }));
  // Begun elsewhere, and heard of only now.
  stream().onTransfer(transfer('3', { state: 'done' }));
  assert.deepEqual(ends, ['1']);
  transfers.set('4', transfer('4', { state: 'done' }));
  await live.track('4');
  await live.load();
  assert.deepEqual(ends, ['1', '4']);
});
