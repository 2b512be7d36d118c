import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { tempDir } from '@sheaf/testbed';

const loader = pathToFileURL(join(import.meta.dirname, 'code-loader.ts')).href;

/** A bundle of an entry, a chunk of the start, and one that is loaded later and requires the other too. */
async function bundle(t: TestContext) {
  const { path: root, remove } = await tempDir('code-loader');
  t.after(remove);
  const [folder, cache] = [join(root, 'built'), join(root, 'cache')];
  await mkdir(folder);
  await mkdir(cache);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('counter.cjs', `let count = 0; exports.next = () => ++count;`);
  write('late.cjs', `const { next } = require('./counter.cjs'); exports.late = () => 'late ' + next();`);
  write(
    'entry.cjs',
    `'use strict'; const { basename } = require('node:path'); const counter = require('./counter.cjs'); const chunk = () => require('./late.cjs');
     exports.say = async () => ['one', counter.next(), chunk().late(), basename(__filename)].join(' ');`,
  );
  return {
    folder,
    write,
    /** A start in a process of its own, which ends at once; returns what it says. */
    start: (code: string | undefined = cache): string => {
      const program = `import { createCodeLoader } from ${JSON.stringify(loader)};
        const loader = createCodeLoader(${JSON.stringify(folder)}, 'entry.cjs', ${JSON.stringify(code)});
        const { say } = loader.load();
        loader.keepCode((error) => process.stdout.write(error.code + ' '));
        process.stdout.write(await say());`;
      return execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    },
    /** The one file of kept code. */
    code: (): string => {
      const [name = 'none', ...others] = readdirSync(cache);
      assert.deepEqual(others, []);
      return join(cache, name);
    },
  };
}

const said = 'one 1 late 2 entry.cjs';
const past = new Date('2020-01-01');

test('the code of a start is kept, and used at the next ones as it is', async (t) => {
  const { start, code } = await bundle(t);
  assert.equal(start(), said);
  assert.ok(readFileSync(code()).includes('counter.cjs'));
  assert.ok(!readFileSync(code()).includes('late.cjs"'), 'what is loaded after the start is left to Node');
  utimesSync(code(), past, past);
  assert.equal(start(), said);
  assert.deepEqual(statSync(code()).mtime, past, 'V8 accepted all of it');
});

test('kept code that is damaged is not used, and replaced', async (t) => {
  const { start, code } = await bundle(t);
  start();
  const whole = readFileSync(code());
  for (const damaged of [
    whole.with(whole.length - 40, whole.readUInt8(whole.length - 40) ^ 1),
    whole.subarray(0, whole.length / 2),
    '',
  ] as const) {
    writeFileSync(code(), damaged);
    assert.equal(start(), said);
    assert.equal(readFileSync(code()).length, whole.length);
  }
});

test('code of a chunk that has changed is not used, even if its length is the same', async (t) => {
  const { start, write } = await bundle(t);
  start();
  write('counter.cjs', `let count = 5; exports.next = () => ++count;`);
  assert.equal(start(), 'one 6 late 7 entry.cjs');
});

test('a start without a folder for code, or with one that cannot be written, is like any other', async (t) => {
  const { start, folder } = await bundle(t);
  assert.equal(start(join(folder, 'missing')), `${said}ENOENT `);
  const none = `import { createCodeLoader } from ${JSON.stringify(loader)};
    process.stdout.write(await createCodeLoader(${JSON.stringify(folder)}, 'entry.cjs', undefined).load().say());`;
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '--eval', none], { encoding: 'utf8' }), said);
});
