import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connector, Entry } from './core/connector.ts';
import { ConnectorError } from './core/error.ts';
import { nameOf } from './kit/names/path.ts';
import { recasing } from './recasing.ts';

const ask = { signal: new AbortController().signal };
const file = (name: string): Entry => ({ name, kind: 'file' });

interface Ways {
  readonly caseless?: boolean;
  readonly refusal?: (newName: string) => ConnectorError | undefined;
}

/** A folder of a source that finds names with or without regard to case. `refusal` may reject each new name. */
function folderOf(names: readonly string[], { caseless = true, refusal }: Ways = {}) {
  const keyOf = (name: string): string => (caseless ? name.toLowerCase() : name);
  const held = new Map(names.map((name) => [keyOf(name), name]));
  const rename = async (path: string, newName: string): Promise<Entry> => {
    const refused = refusal?.(newName);
    if (refused) throw refused;
    if (!held.has(keyOf(nameOf(path)))) throw new ConnectorError('notFound', 'nothing there');
    if (held.has(keyOf(newName))) throw new ConnectorError('alreadyExists', 'taken');
    held.delete(keyOf(nameOf(path)));
    held.set(keyOf(newName), newName);
    return file(newName);
  };
  const source: Connector = {
    async *list() {
      yield [...held.values()].map(file);
    },
    stat: async (path) => file(nameOf(path)),
    read: async () => Promise.reject(new ConnectorError('unsupported', 'no bytes here')),
    rename,
    move: (from, to) => rename(from, nameOf(to)),
    close: async () => undefined,
  };
  return { connector: recasing(source), names: () => [...held.values()].sort() };
}

test('a name changes its case where the source treats both names as equal', async () => {
  const { connector, names } = folderOf(['a.txt', 'b.txt']);
  assert.equal((await connector.rename?.('/a.txt', 'A.TXT', ask))?.name, 'A.TXT');
  assert.equal((await connector.move?.('/b.txt', '/B.txt', ask))?.name, 'B.txt');
  assert.deepEqual(names(), ['A.TXT', 'B.txt']);
});

test('a name that another item has is taken, however similar the two are', async () => {
  const { connector, names } = folderOf(['a.txt', 'A.TXT'], { caseless: false });
  await assert.rejects(async () => connector.rename?.('/a.txt', 'A.TXT', ask), { kind: 'alreadyExists' });
  const other = folderOf(['a.txt', 'b.txt']);
  await assert.rejects(async () => other.connector.rename?.('/a.txt', 'B.TXT', ask), { kind: 'alreadyExists' });
  assert.deepEqual(
    [names(), other.names()],
    [
      ['A.TXT', 'a.txt'],
      ['a.txt', 'b.txt'],
    ],
  );
});

/** Refuses the name from its second use on: at the first use, the source reports the name as taken. */
function fromTheSecondTime(wanted: RegExp, error: ConnectorError) {
  let times = 0;
  return (name: string) => (wanted.test(name) && ++times > 1 ? error : undefined);
}

test('an item that cannot get the new case gets its old name back', async () => {
  const refusal = fromTheSecondTime(/^A\.TXT$/, new ConnectorError('badName', 'no capitals'));
  const { connector, names } = folderOf(['a.txt'], { refusal });
  await assert.rejects(async () => connector.rename?.('/a.txt', 'A.TXT', ask), { kind: 'badName' });
  assert.deepEqual(names(), ['a.txt']);
});

test('an item that cannot get its old name back is shown under another, and that is reported', async () => {
  const refusal = fromTheSecondTime(/^a\.txt$/i, new ConnectorError('unreachable', 'gone'));
  const { connector, names } = folderOf(['a.txt'], { refusal });
  await assert.rejects(async () => connector.rename?.('/a.txt', 'A.TXT', ask), { kind: 'interrupted' });
  assert.match(names().join(), /^sheaf-kept-[0-9a-f-]+$/);
});
