import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Connector, type Entry } from '../core/connector.ts';
import { ConnectorError, isKind } from '../core/error.ts';
import { bounds } from './bounds.ts';
import { layered } from './layered.ts';

const signal = new AbortController().signal;
const refuse = () => Promise.reject(new ConnectorError('unsupported', 'only lists'));

/** A source whose folder has this number of entries. */
function sourceOf(count: number) {
  const state = { isClosed: false };
  const connector: Connector = {
    async *list() {
      try {
        for (let given = 0; given < count; given += 1000) {
          yield Array.from({ length: Math.min(1000, count - given) }, (_, at): Entry => ({ name: `file ${given + at}`, kind: 'file' }));
        }
      } finally {
        state.isClosed = true;
      }
    },
    stat: refuse,
    read: refuse,
    close: () => Promise.resolve(),
  };
  return { connector, state };
}

async function count(connector: Connector): Promise<number> {
  let entries = 0;
  for await (const batch of connector.list('/', { signal })) entries += batch.length;
  return entries;
}

test('a folder of a million entries is listed completely', async () => {
  assert.equal(await count(layered(sourceOf(1_000_000).connector, bounds())), 1_000_000);
});

test('an endless folder is refused, and the source closed', async () => {
  const { connector, state } = sourceOf(Number.POSITIVE_INFINITY);
  await assert.rejects(count(layered(connector, bounds())), (error) => isKind(error, 'tooLarge'));
  assert.ok(state.isClosed);
});

test('a folder is listed up to the bound, and not past it', async () => {
  assert.equal(await count(layered(sourceOf(2500).connector, bounds({ entries: 2500 }))), 2500);
  await assert.rejects(count(layered(sourceOf(2501).connector, bounds({ entries: 2500 }))), (error) => isKind(error, 'tooLarge'));
});
