import assert from 'node:assert/strict';
import { readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createVault, resolvePath } from '@sheaf/contract';
import { run } from '@sheaf/testbed';
import { cryptSection, newWords, usualNames, wrap } from '@sheaf/vault';
import { setting } from '../testing/setting.ts';

const passphrase = 'planted passphrase 5512';

test('a vault is listed, filled and read on the command line, a cut file is told, and rclone reads the same', async (t) => {
  const { sheafWith, ask, source, local, put, text } = await setting(t);
  const words = newWords();
  const passwords = { password: words, password2: '' };
  const { item } = await ask(resolvePath, { path: 'Attic' });
  await ask(createVault, {
    parentLinkUri: item.linkUri,
    name: 'Letters',
    options: JSON.stringify(usualNames),
    wrapped: await wrap(passphrase, passwords, usualNames),
  });
  const vault = (...args: readonly string[]) => sheafWith(`${passphrase}\n`, 'vault', ...args);
  const content = 'planted content '.repeat(15_000);
  await put(local, { 'Äpfel.txt': content, 'small.txt': 'small' });
  for (const name of ['Äpfel.txt', 'small.txt'])
    assert.deepEqual(await vault('put', join(local, name), 'Letters'), { code: 0, out: '', err: '' });
  const refused = await vault('put', join(local, 'small.txt'), 'Letters');
  assert.deepEqual([refused.code, /taken|already/.test(refused.err)], [1, true]);
  assert.equal((await vault('ls', 'Letters')).out.split('\n').toSorted().join(), ',small.txt,Äpfel.txt');
  assert.deepEqual(await vault('get', 'Letters/Äpfel.txt', '-'), { code: 0, out: content, err: '' });
  const byWords = await sheafWith(`${words.toUpperCase()}\n`, 'vault', 'get', 'Letters/small.txt', join(local, 'copy.txt'));
  assert.deepEqual([byWords.code, await text(local, 'copy.txt')], [0, 'small']);
  const wrong = await sheafWith('not it\n', 'vault', 'ls', 'Letters');
  assert.deepEqual([wrong.code, wrong.err], [1, 'This does not open Letters.\n']);

  const config = join(local, 'rclone.conf');
  const sealed = join(source, 'Letters');
  await writeFile(config, cryptSection('vault', sealed, passwords, usualNames));
  assert.equal(await run('rclone', ['--config', config, 'cat', 'vault:Äpfel.txt']), content);
  await writeFile(join(local, 'theirs.txt'), 'by rclone');
  await run('rclone', ['--config', config, 'copy', join(local, 'theirs.txt'), 'vault:']);
  const theirs = await vault('get', 'Letters/theirs.txt', '-');
  assert.deepEqual(
    [theirs.code, theirs.out, theirs.err],
    [0, 'by rclone', 'theirs.txt is not proven to be whole: nothing is recorded of it.\n'],
  );

  const files = await readdir(sealed);
  for (const secret of ['pfel', 'small', 'manifest']) assert.ok(files.every((name) => !name.includes(secret)));
  const sizes = await Promise.all(files.map(async (name) => [(await stat(join(sealed, name))).size, name] as const));
  const [, largest] = sizes.toSorted(([a], [b]) => b - a)[0] ?? [0, ''];
  assert.ok(!(await readFile(join(sealed, largest), 'latin1')).includes('planted'));
  await truncate(join(sealed, largest), 32 + 65_552);
  const cut = await vault('get', 'Letters/Äpfel.txt', '-');
  assert.deepEqual([cut.code, cut.out], [1, '']);
  assert.ok(cut.err.startsWith(`The end of Äpfel.txt is missing: it had ${content.length} bytes.`), cut.err);
  assert.equal((await vault('get', '--anyway', 'Letters/Äpfel.txt', '-')).out, content.slice(0, 65_536));
});
