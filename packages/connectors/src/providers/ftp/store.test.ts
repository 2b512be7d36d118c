import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { isKind } from '../../core/error.ts';
import { linked } from './testing/linked.ts';

const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const text = (bytes: string) => Readable.from([Buffer.from(bytes)]);

test('when a server cannot replace a file and is lost after the old one was moved aside, the old file gets its name back', async (t) => {
  let renames = 0;
  const { connector, home } = await linked(t, (line) => {
    if (!line.startsWith('RNTO')) return line;
    renames += 1;
    // The first rename fails, the second moves the old file aside, the third would install the new one.
    return renames === 1 ? 'RNTO /not/here\r\n' : renames === 3 ? undefined : line;
  });
  await writeFile(join(home, 'file'), 'the only copy', { mode: 0o666 });
  await assert.rejects(async () => connector.write?.('/file', text('new'), { ...ask(), ifExists: 'replace' }), { kind: 'interrupted' });
  assert.equal(renames, 4);
  assert.deepEqual(await readdir(home), ['file']);
  assert.equal(await readFile(join(home, 'file'), 'utf8'), 'the only copy');
  await connector.write?.('/file', text('new'), { ...ask(), ifExists: 'replace' });
  assert.deepEqual(await readdir(home), ['file']);
  assert.equal(await readFile(join(home, 'file'), 'utf8'), 'new');
});

test('of several concurrent writers of one name, one gets it and nothing is replaced', async (t) => {
  const { connector, home } = await linked(t);
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) await writeFile(join(home, name), name);
  const moves = await Promise.allSettled([
    ...names.map(async (name) => connector.rename?.(`/${name}`, 'taken', ask())),
    connector.write?.('/taken', text('e'), { ...ask(), ifExists: 'fail' }),
  ]);
  for (const move of moves) assert.ok(move.status === 'fulfilled' || isKind(move.reason, 'alreadyExists'));
  assert.equal(moves.filter(({ status }) => status === 'fulfilled').length, 1);
  const left = await readdir(home);
  assert.equal(left.filter((name) => names.includes(name)).length, (await readFile(join(home, 'taken'), 'utf8')) === 'e' ? 4 : 3);
  assert.equal(left.length, (await readFile(join(home, 'taken'), 'utf8')) === 'e' ? 5 : 4);
});

test('a time that cannot be represented is omitted', async (t) => {
  const { connector } = await linked(t);
  for (const modified of [1e15, -1e12, 1e11]) {
    const { modified: told = 0 } = (await connector.write?.('/file', text('x'), { ...ask(), ifExists: 'replace', modified })) ?? {};
    if (modified !== 1e11) assert.ok(Math.abs(told - Date.now() / 1000) < 3600, `${modified} became ${told}`);
  }
});
