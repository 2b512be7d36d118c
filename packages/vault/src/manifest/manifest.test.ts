import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isManifestName, newManifestName, readPart, writePart } from './format.ts';
import { glanceAt, judgeFile, mergeParts } from './manifest.ts';

const part = (records: readonly (readonly [name: string, at: number, nonce?: string, size?: number])[], folder = 'root') => ({
  folder,
  records: records.map(([name, at, nonce, size]) => ({ name, at, ...(nonce !== undefined && size !== undefined && { nonce, size }) })),
});

test('a part is read as it was written, and other text is not a part', () => {
  const written = {
    folder: 'f',
    records: [
      { name: 'ä', at: 1, nonce: 'bg==', size: 3 },
      { name: 'gone', at: 2 },
      { name: 'in', at: 3, folder: 'g' },
    ],
  };
  assert.deepEqual(readPart(writePart(written)), written);
  const text = writePart(written);
  for (const other of [
    '',
    '{',
    'null',
    '[]',
    text.replace('"v":1', '"v":2'),
    text.replace('3}', '"3"}'),
    text.replace('"at":1', '"at":null'),
  ])
    assert.equal(readPart(other), undefined, other);
  assert.ok(isManifestName(newManifestName()));
  assert.ok(!isManifestName('.sheaf-manifest-notes'));
});

test('the newest record of a name counts, for any writer and any order of parts', () => {
  const [one, two] = [
    part([
      ['a', 1, 'old', 5],
      ['b', 1, 'b1', 1],
    ]),
    part([
      ['a', 2, 'new', 6],
      ['b', 3],
    ]),
  ];
  for (const parts of [
    [one, two],
    [two, one],
  ]) {
    const { files } = mergeParts(parts, 'root');
    assert.deepEqual([...files], [['a', { nonce: 'new', size: 6, at: 2 }]]);
  }
});

test('parts of another folder prove nothing', () => {
  const manifest = mergeParts([part([['a', 1, 'n', 5]], 'other'), part([['b', 1, 'm', 5]])], 'root');
  assert.deepEqual([[...manifest.files.keys()], manifest.strays], [['b'], 1]);
  assert.deepEqual([...mergeParts([part([['a', 1, 'n', 5]], 'other')], undefined).files.keys()], ['a']);
});

test('cut and swapped files are detected; content without a record is unproven, never wrong', () => {
  const manifest = mergeParts(
    [
      part([
        ['a', 1, 'A', 131_072],
        ['b', 1, 'B', 131_072],
      ]),
    ],
    'root',
  );
  const judged = (name: string, nonce: string, size = 131_072) => judgeFile(manifest, name, nonce, size);
  assert.deepEqual(judged('a', 'A'), { kind: 'proven' });
  assert.deepEqual(judged('a', 'A', 65_536), { kind: 'cut', recorded: 131_072 });
  assert.deepEqual(judged('a', 'B'), { kind: 'swapped', as: 'b' });
  assert.deepEqual(judged('c', 'B'), { kind: 'swapped', as: 'b' });
  assert.deepEqual(judged('a', 'C', 7), { kind: 'changed' });
  assert.deepEqual(judged('c', 'C'), { kind: 'unrecorded' });
  assert.deepEqual(
    [glanceAt(manifest, 'a', 131_072), glanceAt(manifest, 'a', 65_536), glanceAt(manifest, 'c', 1)],
    ['recorded', 'otherSize', 'unrecorded'],
  );
});
