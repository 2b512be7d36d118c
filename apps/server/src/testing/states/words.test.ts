import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptStates } from './state-file.ts';
import { strangeWords, tolerated, words } from './words.ts';

const states = keptStates();

test('each new word in a column is one that instances of the last recorded version tolerate', () => {
  const last = states.findLast((state) => state.words !== undefined);
  assert.ok(last?.words, 'a state has its words');
  assert.deepEqual(strangeWords(last.words, words, last.name, tolerated), []);
});

test('the rows of all recorded states hold listed words only', () => {
  let compared = 0;
  for (const { name, tables } of states)
    for (const { table, columns, rows } of tables)
      for (const [index, column] of columns.entries()) {
        const known = words[`${table}.${column}`];
        if (!known) continue;
        for (const row of rows) {
          const value = row[index];
          if (value === null) continue;
          compared++;
          assert.ok(
            typeof value === 'string' && known.includes(value),
            `${name}: ${table}.${column} holds ${JSON.stringify(value)}, which words.ts does not list`,
          );
        }
      }
  assert.ok(compared > 100, `only ${compared} values were compared`);
});

test('a word that is new or gone is found, with what to do; columns that the earlier version lacks are left out', () => {
  const before = { 'transfer.state': ['done', 'running'], 'place.kind': ['pin'] };
  const after = { 'transfer.state': ['done', 'frozen'], 'place.kind': ['pin', 'recent'], 'later.kind': ['one'] };
  const found = strangeWords(before, after, '111-device-requests', { 'place.kind=recent': 'it is skipped', 'place.kind=pin': 'old' });
  assert.equal(found.length, 3);
  assert.match(
    found[0] ?? '',
    /^transfer\.state has the new word "frozen", which instances of 111-device-requests may read.*Land a version/,
  );
  assert.match(found[1] ?? '', /^transfer\.state has lost the word "running"/);
  assert.match(found[2] ?? '', /knows "place\.kind=pin": remove it/);
});
