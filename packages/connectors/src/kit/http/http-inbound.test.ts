import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createBufferPool } from '../body/buffer-pool.ts';
import { createInbound } from './http-inbound.ts';

const size = 64 * 1024;

/** An inbound with a simulated socket: `arrive` delivers bytes and returns whether reading may continue. */
function receiving(pool = createBufferPool({ size, keep: 4 })) {
  const state = { resumed: 0 };
  const inbound = createInbound({ pool, resume: () => (state.resumed += 1) });
  const { buffer, callback } = inbound.onread;
  assert.ok(typeof buffer === 'function');
  inbound.expect(Number.MAX_SAFE_INTEGER);
  let memory = buffer();
  const arrive = (text: string): boolean => {
    const room = memory;
    const bytes = room.subarray(0, Buffer.from(room.buffer, room.byteOffset).write(text));
    const goesOn = callback(bytes.byteLength, bytes);
    memory = buffer();
    return goesOn;
  };
  return { inbound, arrive, state, memory: () => memory };
}

describe('bytes received by a socket', () => {
  it('are passed on within the event that brought them, and the next ones use the same memory', async () => {
    const { inbound, arrive, memory } = receiving();
    const seen: string[] = [];
    const pumped = inbound.pump((bytes) => seen.push(bytes.toString()) < 3);
    const first = memory();
    for (const text of ['one', 'two', 'three']) {
      assert.ok(arrive(text));
      assert.equal(seen.at(-1), text);
      if (text !== 'three') assert.ok(memory().buffer === first.buffer && memory().byteOffset === first.byteOffset);
    }
    assert.equal(await pumped, true);
  });

  it('leave their memory to the next connection once it is released, and only once', async () => {
    const pool = createBufferPool({ size, keep: 4 });
    const { inbound, arrive, memory } = receiving(pool);
    const first = memory().buffer;
    const read = inbound.read();
    arrive('all');
    assert.equal((await read)?.toString(), 'all');
    inbound.end();
    assert.equal(await inbound.read(), undefined);
    inbound.release();
    inbound.release();
    assert.equal(await inbound.read(), undefined);
    const taken = Array.from({ length: 4 }, () => pool.take().buffer);
    assert.equal(taken.filter((buffer) => buffer === first).length, 1);
    assert.equal(new Set(taken).size, 4);
  });

  it('stay unchanged while the consumer keeps them, and the socket pauses when too much waits', async () => {
    const { inbound, arrive, state } = receiving();
    const lent: { readonly bytes: Buffer; readonly free: (more: boolean) => void }[] = [];
    const pumped = inbound.pump(
      (bytes) =>
        new Promise((resolve) => {
          lent.push({ bytes, free: resolve });
        }),
    );
    assert.ok(arrive('kept'));
    assert.ok(arrive('a'.repeat(size - 1)));
    assert.equal(arrive('b'.repeat(size)), false);
    assert.equal(lent.length, 1);
    assert.equal(lent[0]?.bytes.toString(), 'kept');
    lent[0]?.free(true);
    await turn();
    assert.equal(lent[1]?.bytes.toString(), 'a'.repeat(size - 1));
    assert.equal(state.resumed, 0);
    lent[1]?.free(true);
    await turn();
    assert.equal(lent[2]?.bytes.toString(), 'b'.repeat(size));
    assert.equal(state.resumed, 1);
    lent[2]?.free(false);
    assert.equal(await pumped, true);
  });

  it('may end before the consumer has enough', async () => {
    const { inbound, arrive } = receiving();
    const pumped = inbound.pump(() => true);
    arrive('all there is');
    inbound.end();
    assert.equal(await pumped, false);
    assert.equal(await inbound.pump(() => true), false);
  });

  it('fail with the error of the consumer, at once or later, and with that of the connection', async () => {
    const gone = new Error('gone');
    const fails = () => {
      throw gone;
    };
    for (const take of [fails, () => Promise.reject(gone)]) {
      const { inbound, arrive } = receiving();
      const pumped = inbound.pump(take);
      arrive('bytes');
      await assert.rejects(pumped, gone);
    }
    const { inbound } = receiving();
    const pumped = inbound.pump(() => true);
    inbound.fail(gone);
    await assert.rejects(pumped, gone);
  });

  it('can be put back by a consumer that got too many', async () => {
    const { inbound, arrive } = receiving();
    const pumped = inbound.pump(() => {
      inbound.unread(4);
      return false;
    });
    arrive('mine his');
    assert.equal(await pumped, true);
    assert.ok(inbound.pending);
    assert.equal(String(await inbound.read()), ' his');
  });
});
