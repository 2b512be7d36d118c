import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connector } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import type { LeftoverNote, Leftovers } from '../../core/leftovers.ts';
import { openObjectFolders } from './object-folders.ts';
import { parseMove } from './object-moves.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });

interface Held {
  readonly text: string;
  readonly modified: number;
}

/** A store whose versions have distinct etags, with three keys per page. Calls `mayChange` before each change; it may throw. */
function createStore(held: Map<string, Held>, mayChange: (change: string) => void = () => undefined) {
  let time = 1000;
  const objectOf = (key: string): StoredObject => {
    const { text = '', modified = 0 } = held.get(key) ?? {};
    return { key, size: text.length, modified, etag: `${key} ${modified}` };
  };
  const store: ObjectStore = {
    listsFileTimes: true,
    async *list(prefix) {
      const found = [...held.keys()].filter((key) => key.startsWith(prefix)).sort();
      for (let at = 0; at < found.length; at += 3)
        yield {
          objects: found
            .slice(at, at + 3)
            .filter((key) => held.has(key))
            .map(objectOf),
          prefixes: [],
          endOfPage: true,
        };
    },
    head: async (key) => (held.has(key) ? objectOf(key) : undefined),
    get: () => Promise.reject(new Error('nothing is read')),
    put: () => Promise.reject(new Error('nothing is written')),
    async copy({ key }, to) {
      mayChange(`copy ${key}`);
      const original = held.get(key);
      if (!original) throw new ConnectorError('notFound', 'no such key');
      held.set(to, { ...original, modified: ++time });
    },
    async remove(keys) {
      for (const key of keys) {
        mayChange(`remove ${key}`);
        held.delete(key);
      }
    },
    close: () => undefined,
  };
  return store;
}

const texts = (held: ReadonlyMap<string, Held>) => Object.fromEntries([...held].map(([key, { text }]) => [key, text]));

/** Notes of one process; another process may take them over. */
function createNotes() {
  const texts = new Set<string>();
  const state = { isMine: true };
  const leftovers: Leftovers = {
    note(text): LeftoverNote {
      texts.add(text);
      const end = (isGone: boolean) => void (isGone && state.isMine && texts.delete(text));
      return { kept: Promise.resolve(), hold: async () => state.isMine, gone: () => end(true), stays: () => end(false) };
    },
  };
  return { leftovers, notes: () => [...texts], lose: () => void (state.isMine = false) };
}

const parts = ['', '1', '2', '3', 'deep/4', 'deep/5', 'deep/deeper/6'];
const filled = (prefix: string) => new Map(parts.map((part, index) => [prefix + part, { text: part, modified: index }]));
const moved = Object.fromEntries(parts.map((part) => [`new/${part}`, part]));

/** Runs a call whose changes have no effect from that number on, as if the process had been killed; returns its notes. */
const killedAt = (held: Map<string, Held>, change: number, from: string, newName: string): Promise<readonly string[]> =>
  killedIn(held, change, (folders) => folders.rename?.(from, newName, ask()));

async function killedIn(
  held: Map<string, Held>,
  change: number,
  call: (folders: Connector) => Promise<unknown> | undefined,
): Promise<readonly string[]> {
  let changes = 0;
  const { leftovers, notes } = createNotes();
  const { promise: dead, resolve: die } = Promise.withResolvers<void>();
  const store = createStore(held);
  const hang = (): Promise<never> => {
    die();
    return new Promise(() => undefined);
  };
  const mortal: ObjectStore = {
    ...store,
    copy: (...call) => (changes++ >= change ? hang() : store.copy(...call)),
    async remove(keys, options) {
      for (const key of keys) await (changes++ >= change ? hang() : store.remove([key], options));
    },
  };
  const folders = openObjectFolders(mortal, { enhanced: false, leftovers });
  await Promise.race([dead, call(folders)]);
  return notes();
}

test('a move of a folder that is killed at any moment is finished by its note, or has not begun, and nothing is lost', async () => {
  for (let change = 0; change <= 2 * parts.length; change++) {
    const held = filled('old/');
    const notes = await killedAt(held, change, '/old', 'new');
    assert.equal(notes.length, change === 2 * parts.length ? 0 : 1);
    const folders = openObjectFolders(createStore(held), { enhanced: false });
    for (const note of [...notes, ...notes]) await folders.clearUp(note, ask());
    assert.deepEqual(texts(held), change === 0 ? texts(filled('old/')) : moved, `killed at change ${change}`);
    // The move had not begun, so that it can be requested again.
    if (change === 0) await folders.rename?.('/old', 'new', ask());
    assert.deepEqual(texts(held), moved);
  }
});

test('a move of a file that is killed at any moment leaves one file, under its old or its new name', async () => {
  for (let change = 0; change <= 2; change++) {
    const held = new Map([
      ['file', { text: 'content', modified: 1 }],
      ['file2', { text: 'another', modified: 1 }],
    ]);
    const notes = await killedAt(held, change, '/file', 'renamed');
    const folders = openObjectFolders(createStore(held), { enhanced: false });
    for (const note of notes) await folders.clearUp(note, ask());
    assert.deepEqual(texts(held), { [change === 0 ? 'file' : 'renamed']: 'content', file2: 'another' });
  }
});

test('a copy of a folder that is killed at any moment is finished by its note, or has not begun, and the originals stay', async () => {
  for (let change = 0; change <= parts.length; change++) {
    const held = filled('old/');
    const notes = await killedIn(held, change, (folders) => folders.copy?.('/old', '/new', ask()));
    assert.equal(notes.length, change === parts.length ? 0 : 1);
    const folders = openObjectFolders(createStore(held), { enhanced: false });
    for (const note of [...notes, ...notes]) await folders.clearUp(note, ask());
    const whole = { ...texts(filled('old/')), ...moved };
    assert.deepEqual(texts(held), change === 0 ? texts(filled('old/')) : whole, `killed at change ${change}`);
  }
});

test('a copy of a folder that fails leaves no note and nothing of the copy', async () => {
  const held = filled('old/');
  const { leftovers, notes } = createNotes();
  const store = createStore(held, (change) => {
    if (change === 'copy old/3') throw new ConnectorError('forbidden', 'not now');
  });
  const folders = openObjectFolders(store, { enhanced: false, leftovers });
  await assert.rejects(async () => folders.copy?.('/old', '/new', ask()), { kind: 'forbidden' });
  assert.deepEqual([texts(held), notes()], [texts(filled('old/')), []]);
});

test('changes, additions and deletions by others since the kill are kept', async () => {
  const held = filled('old/');
  const notes = await killedAt(held, 4, '/old', 'new');
  held.set('old/2', { text: 'changed after its copy', modified: 5000 });
  held.set('old/late', { text: 'added', modified: 5000 });
  held.set('new/3', { text: 'of somebody else', modified: 5000 });
  const folders = openObjectFolders(createStore(held), { enhanced: false });
  for (const note of notes) await folders.clearUp(note, ask());
  assert.deepEqual(texts(held), {
    ...moved,
    'new/3': 'of somebody else',
    'new/late': 'added',
    'old/2': 'changed after its copy',
    'old/3': '3',
  });
});

test('an incomplete move whose copies were deleted is undone: the originals stay', async () => {
  const held = filled('old/');
  const notes = await killedAt(held, 4, '/old', 'new');
  for (const key of held.keys()) if (key.startsWith('new/')) held.delete(key);
  const folders = openObjectFolders(createStore(held), { enhanced: false });
  for (const note of notes) await folders.clearUp(note, ask());
  assert.deepEqual(texts(held), texts(filled('old/')));
});

test('a process whose note was taken over deletes no copy, because the copies may be all that is left', async () => {
  const held = filled('old/');
  const { leftovers, notes, lose } = createNotes();
  let copies = 0;
  const store = createStore(held, (change) => {
    if (!change.startsWith('copy') || ++copies < 4) return;
    lose();
    throw new ConnectorError('full', 'no room');
  });
  await assert.rejects(async () => openObjectFolders(store, { enhanced: false, leftovers }).rename?.('/old', 'new', ask()), {
    kind: 'full',
  });
  assert.equal([...held.keys()].filter((key) => key.startsWith('new/')).length, 3);
  for (const note of notes()) await openObjectFolders(createStore(held), { enhanced: false }).clearUp(note, ask());
  assert.deepEqual(texts(held), moved);
});

test('a move that fails leaves no note, and one whose originals cannot be deleted is finished later', async () => {
  const held = filled('old/');
  const { leftovers, notes } = createNotes();
  let broken = 'copy old/3';
  const store = createStore(held, (change) => {
    if (change === broken) throw new ConnectorError('forbidden', 'not now');
  });
  const folders = openObjectFolders(store, { enhanced: false, leftovers });
  await assert.rejects(async () => folders.rename?.('/old', 'new', ask()), { kind: 'forbidden' });
  assert.deepEqual([texts(held), notes()], [texts(filled('old/')), []]);
  broken = 'remove old/3';
  await assert.rejects(async () => folders.rename?.('/old', 'new', ask()), { kind: 'forbidden' });
  assert.deepEqual(notes().map(parseMove), [{ kind: 'move', from: 'old/', to: 'new/' }]);
  broken = '';
  for (const note of notes()) await folders.clearUp(note, ask());
  assert.deepEqual(texts(held), moved);
});

test('notes of uploads go to the store, and moves are distinguished from them', async () => {
  const cleared: string[] = [];
  const folders = openObjectFolders(createStore(new Map()), { enhanced: false, clearUpUpload: async (note) => void cleared.push(note) });
  for (const note of ['["key","upload"]', 'file id']) await folders.clearUp(note, ask());
  assert.deepEqual(cleared, ['["key","upload"]', 'file id']);
});
