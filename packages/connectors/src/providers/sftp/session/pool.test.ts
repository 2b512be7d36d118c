import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKind } from '../../../core/error.ts';
import { aborted, cutOff } from '../errors.ts';
import type { Connection } from './connection.ts';
import { createPool } from './pool.ts';

const ask = () => AbortSignal.timeout(10_000);

/** Returns a pool for a server that accepts `most` connections, and refuses the others before it accepts the first. */
function poolOf(most: number, max = 3) {
  let asked = 0;
  const pool = createPool({
    max,
    idle: 1000,
    async connect(signal): Promise<Connection> {
      asked += 1;
      if (asked > most) throw cutOff();
      for (let turn = 0; turn < 10; turn++) {
        await new Promise(setImmediate);
        if (signal.aborted) throw aborted();
      }
      const commands = { session: {} } as Connection['commands'];
      return {
        dead: () => false,
        commands,
        lanes: async () => [commands],
        run: async () => undefined,
        close: () => undefined,
        onEnd: () => undefined,
      };
    },
  });
  return pool;
}

test('a caller refused a connection by the server waits for the one that the server is accepting for another', async () => {
  const pool = poolOf(1);
  const seen = await Promise.all(['a', 'b', 'c', 'd'].map((name) => pool.use(ask(), async () => name)));
  assert.deepEqual(seen, ['a', 'b', 'c', 'd']);
  pool.close();
});

test('a server that accepts no connection is reported to all callers', async () => {
  const pool = poolOf(0);
  for (const call of await Promise.allSettled([1, 2, 3, 4].map(() => pool.use(ask(), async () => 'never'))))
    assert.ok(call.status === 'rejected' && isKind(call.reason, 'interrupted'));
});

test('a caller that arrives just after another stopped waiting for a connection gets one', async () => {
  const pool = poolOf(2, 1);
  const gone = new AbortController();
  const first = pool.use(gone.signal, async () => 'first');
  await new Promise(setImmediate);
  gone.abort();
  await assert.rejects(first, { kind: 'aborted' });
  assert.equal(await pool.use(ask(), async () => 'second'), 'second');
  pool.close();
});
