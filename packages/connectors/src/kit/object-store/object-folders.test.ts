import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { ConnectorError } from '../../core/error.ts';
import { bodyOf } from '../body/body.ts';
import { openObjectFolders } from './object-folders.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });

/** A store in memory that fails copies of one key; calls `onCopied` for the others, which may write concurrently. */
function createStore(keys: readonly string[], refused?: string, onCopied?: (key: string, held: Map<string, string>) => void) {
  const held = new Map(keys.map((key) => [key, key]));
  /** Number of the next calls that are refused. */
  const busy = { copies: 0, removals: 0 };
  const objectOf = (key: string): StoredObject => ({ key, size: key.endsWith('/') ? 0 : (held.get(key)?.length ?? 0) });
  const store: ObjectStore = {
    listsFileTimes: true,
    async *list(prefix, { deep }) {
      const found = [...held.keys()].filter((key) => key.startsWith(prefix)).sort();
      const cuts = found.map((key) => (deep ? -1 : key.indexOf('/', prefix.length)));
      const objects = found.filter((_, index) => cuts[index] === -1).map(objectOf);
      const prefixes = new Set(
        found.filter((_, index) => cuts[index] !== -1).map((key) => key.slice(0, key.indexOf('/', prefix.length) + 1)),
      );
      yield { objects, prefixes: [...prefixes], endOfPage: true };
    },
    head: async (key) => (held.has(key) ? objectOf(key) : undefined),
    async get(key) {
      return { object: objectOf(key), body: () => bodyOf(Readable.from([Buffer.from(held.get(key) ?? '')]), {}) };
    },
    async put(key) {
      held.set(key, key);
      return objectOf(key);
    },
    async copy({ key }, to) {
      if (key === refused) throw new ConnectorError('full', 'no room');
      if (busy.copies-- > 0) throw new ConnectorError('rateLimited', 'slow down', { retryable: true });
      held.set(to, held.get(key) ?? '');
      onCopied?.(key, held);
    },
    async remove(gone) {
      if (busy.removals-- > 0) throw new ConnectorError('rateLimited', 'slow down', { retryable: true });
      for (const key of gone) held.delete(key);
    },
    close: () => undefined,
  };
  return { store, held, busy, keys: () => [...held.keys()].sort(), folders: openObjectFolders(store, { enhanced: false }) };
}

const keys = ['album/', 'album/1', 'album/2', 'album/deep/3', 'other'];

test('a folder is moved key by key, and another one with a similar name stays', async () => {
  const { folders, keys: left } = createStore([...keys, 'album2/4']);
  await folders.rename?.('/album', 'renamed', ask());
  assert.deepEqual(left(), ['album2/4', 'other', 'renamed/', 'renamed/1', 'renamed/2', 'renamed/deep/3']);
});

test('a move that fails half-way leaves everything in place and nothing at the destination', async () => {
  const { folders, keys: left } = createStore(keys, 'album/2');
  await assert.rejects(async () => folders.move?.('/album', '/moved', ask()), { kind: 'full' });
  assert.deepEqual(left(), keys);
});

test('files written by others during a move stay in place', async () => {
  const { folders, held } = createStore(keys, undefined, (key, all) => {
    if (key === 'album/1') all.set('album/late', 'new');
    if (key === 'album/2' || key === 'other') all.set(key, 'changed meanwhile');
  });
  await folders.rename?.('/album', 'renamed', ask());
  await folders.rename?.('/other', 'another', ask());
  assert.deepEqual(Object.fromEntries([...held].filter(([key]) => !key.startsWith('renamed/'))), {
    'album/2': 'changed meanwhile',
    'album/late': 'new',
    another: 'other',
    other: 'changed meanwhile',
  });
  assert.ok(['renamed/', 'renamed/1', 'renamed/2', 'renamed/deep/3'].every((key) => held.has(key)));
});

test('a store that is sometimes too busy is retried in the middle of a move', async () => {
  const { folders, busy, keys: left } = createStore(keys);
  for (const [from, to] of [
    ['/album', 'renamed'],
    ['/other', 'another'],
  ] as const) {
    Object.assign(busy, { copies: 1, removals: 1 });
    await folders.rename?.(from, to, ask());
  }
  assert.deepEqual(left(), ['another', 'renamed/', 'renamed/1', 'renamed/2', 'renamed/deep/3']);
});

test('a move whose originals cannot be deleted says so, and is not retried from its beginning', async () => {
  const { folders, busy, keys: left } = createStore(keys);
  busy.removals = 100;
  await assert.rejects(async () => folders.rename?.('/album', 'renamed', ask()), { kind: 'interrupted', retryable: false });
  assert.deepEqual(left(), [...keys, 'renamed/', 'renamed/1', 'renamed/2', 'renamed/deep/3']);
});

test('a folder is not moved into itself, and the root is not moved', async () => {
  const { folders, keys: left } = createStore(keys);
  for (const [from, to] of [
    ['/album', '/album/deep/again'],
    ['/', '/other place'],
  ] as const) {
    await assert.rejects(async () => folders.move?.(from, to, ask()), { kind: 'unsupported' });
    await assert.rejects(async () => folders.copy?.(from, to, ask()), { kind: 'unsupported' });
  }
  await assert.rejects(async () => folders.remove?.('/', ask()), { kind: 'unsupported' });
  assert.deepEqual(left(), keys);
});

test('a file whose name was seen free is stored in one request', async () => {
  const { store, held } = createStore(keys);
  const asked: string[] = [];
  const counted: ObjectStore = {
    ...store,
    list: (...args) => (asked.push('list'), store.list(...args)),
    head: (...args) => (asked.push('head'), store.head(...args)),
    put: (...args) => (asked.push('put'), store.put(...args)),
  };
  const folders = openObjectFolders(counted, { enhanced: false });
  await folders.write?.('/album/new', Readable.from(['x']), { ...ask(), ifExists: 'fail', seenFree: true });
  assert.deepEqual(asked, ['put']);
  assert.ok(held.has('album/new'));
});

test('the name of a folder next to a file cannot be used to replace the file', async () => {
  const { folders, keys: left } = createStore(['file', 'other']);
  await assert.rejects(async () => folders.rename?.('/other', '\u241b:file', ask()), { kind: 'alreadyExists' });
  const body = Readable.from([Buffer.from('x')]);
  await assert.rejects(async () => folders.write?.('/\u241b:file', body, { ...ask(), ifExists: 'replace' }), { kind: 'badName' });
  assert.ok(body.destroyed);
  assert.deepEqual(left(), ['file', 'other']);
});

test('a folder is listed in the enhanced structure even if the cache of file times cannot be stored', async () => {
  const files = Array.from({ length: 20 }, (_, index) => `file ${index}`);
  const { store } = createStore(files);
  for (const kind of ['unexpected', 'forbidden', 'timeout'] as const) {
    const put = async () => Promise.reject(new ConnectorError(kind, 'not here'));
    const folders = openObjectFolders({ ...store, listsFileTimes: false, put }, { enhanced: true });
    assert.equal((await Array.fromAsync(folders.list('/', ask()))).flat().length, files.length, kind);
  }
});

test('an object that may be listed but not read has the time of its last write in the enhanced structure', async () => {
  const { store } = createStore(['locked']);
  for (const kind of ['forbidden', 'unexpected'] as const) {
    const refuse = async () => Promise.reject(new ConnectorError(kind, 'not yours'));
    const folders = openObjectFolders({ ...store, listsFileTimes: false, head: refuse, get: refuse }, { enhanced: true });
    assert.deepEqual((await Array.fromAsync(folders.list('/', ask()))).flat(), [{ name: 'locked', kind: 'file', size: 6 }]);
  }
});

test("a file's own time that is not a date is left out", async () => {
  const { store } = createStore(['file']);
  for (const [fileTime, shown] of [
    [5, 5],
    [1.5e18, 7],
    [1e300, 7],
  ] as const) {
    const head = async () => ({ key: 'file', size: 1, modified: 7, fileTime });
    assert.equal((await openObjectFolders({ ...store, head }, { enhanced: true }).stat('/file', ask())).modified, shown);
  }
});

test('half a surrogate pair is not a name', async () => {
  const { folders } = createStore([]);
  await assert.rejects(async () => folders.createFolder?.('/\ud83d', ask()), { kind: 'badName' });
});
