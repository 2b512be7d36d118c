import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createOutbox } from './outbox.ts';

test('requests made together are sent in one packet, and large ones at once, in the order of their making', async () => {
  const sent: string[] = [];
  const outbox = createOutbox((bytes) => void sent.push(`${bytes.subarray(0, 4).toString()} ${bytes.length}`));
  outbox.post(Buffer.from('ab'));
  await Promise.resolve();
  outbox.post(Buffer.from('cd'));
  assert.deepEqual(sent, []);
  await nextTurn();
  assert.deepEqual(sent, ['abcd 4']);

  outbox.post(Buffer.from('small'));
  outbox.post(Buffer.alloc(64 * 1024, 'large'));
  outbox.post(Buffer.from('last'));
  assert.deepEqual(sent.slice(1), ['smal 5', 'larg 65536']);
  await nextTurn();
  assert.deepEqual(sent.slice(3), ['last 4']);
});

test('no more than a packet holds waits for others', async () => {
  const sent: number[] = [];
  const outbox = createOutbox((bytes) => void sent.push(bytes.length));
  for (let request = 0; request < 5; request++) outbox.post(Buffer.alloc(10 * 1024));
  assert.deepEqual(sent, [40 * 1024]);
  await nextTurn();
  assert.deepEqual(sent, [40 * 1024, 10 * 1024]);
});
