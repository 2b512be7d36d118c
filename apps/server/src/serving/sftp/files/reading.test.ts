import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Body } from '@sheaf/connectors';
import type { OpenItem } from '#/files/items/open-item.ts';
import { openReader } from './reading.ts';

const block = 32 * 1024;

test('a download by a program that asks ahead goes on for longer than an unused stream is kept', { timeout: 60_000 }, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const size = 4 * block;
  let goOn: () => void = assert.fail;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let opened = 0;
  const read = async (): Promise<Body> => {
    opened++;
    return {
      entry: {},
      async drain(take) {
        for (let index = 0; index < 4; index++) {
          if (index === 3) await held;
          await take(new Uint8Array(block).fill(index));
        }
      },
      cancel: () => undefined,
    };
  };
  const item = { userId: '', userLinkId: '', connector: { read }, path: '/large.bin' } as unknown as OpenItem;
  const room = { take: () => true, give: () => undefined } as unknown as Parameters<typeof openReader>[2];
  const reader = openReader(item, { name: 'large.bin', kind: 'file', size }, room, new AbortController().signal);
  t.after(() => reader.close());
  await Promise.all([0, 1, 2].map((at) => reader.read(at * block, block)));
  // The storage takes its time for the last block.
  const last = reader.read(3 * block, block);
  t.mock.timers.tick(60_000);
  goOn();
  assert.deepEqual((await last).bytes, Buffer.alloc(block, 3));
  assert.equal(opened, 1);
});

test('a file that is read byte by byte keeps few pieces, among which each read looks', async (t) => {
  const size = 8192;
  const read = async (): Promise<Body> => ({
    entry: {},
    drain: async (take) => {
      await take(new Uint8Array(size));
    },
    cancel: () => undefined,
  });
  const item = { userId: '', userLinkId: '', connector: { read }, path: '/a.bin' } as unknown as OpenItem;
  let kept = 0;
  const room = {
    take() {
      kept++;
      return true;
    },
    give: () => void kept--,
  } as unknown as Parameters<typeof openReader>[2];
  const reader = openReader(item, { name: 'a.bin', kind: 'file', size }, room, new AbortController().signal);
  t.after(() => reader.close());
  for (let at = 0; at < size; at++) await reader.read(at, 1);
  assert.equal(kept, 2048);
});
