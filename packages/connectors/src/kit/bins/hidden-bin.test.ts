import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../core/error.ts';
import { binOf } from '../../core/operations.ts';
import { createMemorySource } from '../../providers/memory/index.ts';
import { hiddenBin } from './hidden-bin.ts';

const refuse = () => Promise.reject(new ConnectorError('unreachable', 'memory needs no network'));
const env = { dialer: { connect: refuse, upgrade: refuse }, remember: async () => undefined, recall: async () => undefined };
const signal = AbortSignal.timeout(30_000);

test('where the top folder refuses the bin, the topmost folder that accepts it gets it, and the id changes', async () => {
  const source = createMemorySource();
  source.put('/disk/home/a.txt', 'x');
  source.setGate((operation, path) => {
    if (operation === 'createFolder' && /^(\/disk)?\/\.sheaf-bin/.test(path)) throw new ConnectorError('forbidden', 'not here');
  });
  const bin = binOf(hiddenBin(await source.definition.open({}, env))) ?? assert.fail('no bin');
  const told: string[] = [];
  const binId = await bin.discard('/disk/home/a.txt', { day: '2026-11-25', key: 'k', signal, before: async (id) => void told.push(id) });
  assert.deepEqual(told, ['/.sheaf-bin/2026-11-25/k-a.txt', '/disk/.sheaf-bin/2026-11-25/k-a.txt', binId]);
  assert.equal(binId, '/disk/home/.sheaf-bin/2026-11-25/k-a.txt');
  await bin.restore(binId, '/disk/home/a.txt', { signal });
});

test('a bin that is refused because nothing may change is told from one whose folder is writable', async () => {
  for (const [refused, details] of [
    ['createFolder', { problem: 'readOnly' }],
    ['move', {}],
  ] as const) {
    const source = createMemorySource();
    source.put('/home/a.txt', 'x');
    source.setGate((operation) => {
      if (operation === refused) throw new ConnectorError('forbidden', 'not here');
    });
    const bin = binOf(hiddenBin(await source.definition.open({}, env))) ?? assert.fail('no bin');
    const discarded = bin.discard('/home/a.txt', { day: '2026-11-25', key: 'k', signal, before: async () => undefined });
    await assert.rejects(discarded, { kind: 'forbidden', details });
  }
});

test('after a response that leaves open whether the item was moved, no other bin is tried', async () => {
  const source = createMemorySource();
  source.put('/home/a.txt', 'x');
  const inner = await source.definition.open({}, env);
  const connector = hiddenBin({
    ...inner,
    async move(from, to, ask) {
      await inner.move?.(from, to, ask);
      throw new ConnectorError('unexpected', 'moved, and answered nonsense');
    },
  });
  const told: string[] = [];
  const bin = binOf(connector) ?? assert.fail('no bin');
  const lost = bin.discard('/home/a.txt', { day: '2026-11-25', key: 'k', signal, before: async (id) => void told.push(id) });
  await assert.rejects(lost, { kind: 'unexpected' });
  assert.deepEqual(told, ['/.sheaf-bin/2026-11-25/k-a.txt']);
  assert.equal((await bin.binned(told[0] ?? '', { signal })).name, 'k-a.txt');
});

test('the folder of a day is kept while an item may be moving into it', async () => {
  const source = createMemorySource();
  const bin = binOf(hiddenBin(await source.definition.open({}, env))) ?? assert.fail('no bin');
  const today = new Date().toISOString().slice(0, 10);
  for (const [day, stays] of [
    [today, true],
    ['2020-01-01', false],
  ] as const) {
    source.put('/a.txt', 'x');
    const binId = await bin.discard('/a.txt', { day, key: 'k', signal, before: async () => undefined });
    await bin.purge?.(binId, { signal });
    const holder = source.root.children.get('.sheaf-bin');
    assert.equal(holder?.kind === 'folder' && holder.children.has(day), stays, day);
  }
});
