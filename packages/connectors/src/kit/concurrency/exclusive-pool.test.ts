import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import { createExclusivePool } from './exclusive-pool.ts';
import type { Lease } from './lease.ts';

const ask = () => AbortSignal.timeout(10_000);

/** A pool of five connections to a server that allows `most`. */
function limitedTo(most: number, { kind = 'unauthorized', ...options }: { kind?: ConnectorErrorKind; maxWait?: number } = {}) {
  let there = 0;
  let tries = 0;
  const pool = createExclusivePool({
    ...options,
    max: 5,
    async connect() {
      tries += 1;
      await new Promise(setImmediate);
      if (there === most) throw new ConnectorError(kind, 'one too many');
      there += 1;
      let dead = false;
      return {
        get dead() {
          return dead;
        },
        check: async () => true,
        close() {
          if (!dead) there -= 1;
          dead = true;
        },
      };
    },
  });
  return { pool, tries: () => tries };
}

test('a caller that the server turns away waits for a connection of the pool, and the server is not asked repeatedly', async () => {
  for (const kind of ['unauthorized', 'rateLimited', 'unreachable', 'interrupted'] as const) {
    const { pool, tries } = limitedTo(2, { kind });
    let now = 0;
    let peak = 0;
    const work = async () => {
      peak = Math.max(peak, ++now);
      await new Promise(setImmediate);
      now -= 1;
    };
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 12 }, () => pool.use(ask(), work)));
    assert.equal(peak, 2);
    assert.equal(tries(), 5);
    pool.close();
  }
});

test('a caller turned away after the others have finished takes a connection that one of them has left', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  let tries = 0;
  const pool = createExclusivePool({
    max: 2,
    async connect() {
      if (++tries === 1) return { dead: false, check: async () => true, close: () => undefined };
      await answered;
      throw new ConnectorError('rateLimited', 'one too many');
    },
  });
  const first = await pool.acquire(ask());
  const second = pool.use(ask(), async () => 'served');
  await new Promise(setImmediate);
  first.release();
  answer();
  assert.equal(await second, 'served');
  assert.equal(tries, 2);
  pool.close();
});

/**
 * A pool of five connections to a server that counts connections before their login, and refuses everybody while there are more than two.
 */
function crowded(kind: ConnectorErrorKind) {
  let there = 0;
  let refusals = 0;
  const { promise: allRefused, resolve } = Promise.withResolvers<void>();
  const pool = createExclusivePool({
    max: 5,
    async connect() {
      there += 1;
      await new Promise(setImmediate);
      const isRefused = there > 2;
      await new Promise(setImmediate);
      if (isRefused) {
        there -= 1;
        if (++refusals === 5) resolve();
        throw new ConnectorError(kind, 'one too many');
      }
      return { dead: false, check: async () => true, close: () => void (there -= 1) };
    },
  });
  return { pool, allRefused };
}

test('when callers that came at once are all turned away because of each other, the last one tries alone and the others follow', async () => {
  const { pool } = crowded('rateLimited');
  const calls = Array.from({ length: 8 }, (_, index) => pool.use(ask(), async () => index));
  assert.deepEqual(await Promise.all(calls), [0, 1, 2, 3, 4, 5, 6, 7]);
  pool.close();
});

test('a caller that tries alone and gives up lets the next one try', async () => {
  const { pool, allRefused } = crowded('interrupted');
  const gone = new AbortController();
  const calls = Array.from({ length: 5 }, (_, index) => pool.use(index === 4 ? gone.signal : ask(), async () => index));
  await allRefused;
  await new Promise(setImmediate);
  gone.abort();
  const ends = await Promise.allSettled(calls);
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 4);
  pool.close();
});

test('a server that allows no connection at all refuses every waiting caller, after as many attempts as connections', async () => {
  const { pool, tries } = limitedTo(0);
  const calls = Array.from({ length: 5 }, () => pool.use(ask(), async () => 'never'));
  for (const call of await Promise.allSettled(calls)) {
    assert.equal(call.status, 'rejected');
    assert.ok(call.reason instanceof ConnectorError && call.reason.kind === 'unauthorized');
  }
  assert.equal(tries(), 5);
});

test('a caller that was turned away gets an error in time while the others keep all connections', async () => {
  const { pool } = limitedTo(1, { maxWait: 20 });
  const kept: Lease<unknown> = await pool.acquire(ask());
  await assert.rejects(pool.acquire(ask()), { kind: 'rateLimited' });
  await assert.rejects(pool.acquire(ask()), { kind: 'rateLimited' });
  const gone = new AbortController();
  const waiting = pool.acquire(gone.signal);
  gone.abort();
  await assert.rejects(waiting, { kind: 'aborted' });
  kept.release();
  (await pool.acquire(ask())).release();
  pool.close();
});
