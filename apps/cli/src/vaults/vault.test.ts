import assert from 'node:assert/strict';
import { readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { test } from 'node:test';
import { createVault, resolvePath } from '@sheaf/contract';
import { run } from '@sheaf/testbed';
import { cryptSection, newWords, usualNames, wrap } from '@sheaf/vault';
import { setting } from '../testing/setting.ts';

const passphrase = 'planted passphrase 5512';
const program = join(import.meta.dirname, '../main.ts');

/** Runs a program in a terminal, answers its prompt once echo is off, and prints its whole output. */
const inTerminal = `import os, pty, sys, termios, time
pid, terminal = pty.fork()
if pid == 0: os.execvp(sys.argv[2], sys.argv[2:])
shown = b''
while b': ' not in shown: shown += os.read(terminal, 1000)
while termios.tcgetattr(terminal)[3] & termios.ECHO: time.sleep(0.02)
os.write(terminal, sys.argv[1].encode() + b'\\r')
try:
    while piece := os.read(terminal, 1000): shown += piece
except OSError: pass
print(shown.decode())
`;

test('a vault is listed, filled and read on the command line, a cut file is detected, and rclone reads the same', async (t) => {
  const { sheaf, sheafWith, ask, source, local, kept: settings, put, text } = await setting(t);
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

  const kept = join(local, 'passphrase');
  await writeFile(kept, `${passphrase}\n`);
  const byFile = ['vault', '--passphrase-file', kept, 'get', 'Letters/small.txt', '-'];
  assert.deepEqual(await sheaf(...byFile), { code: 0, out: 'small', err: '' });
  await writeFile(kept, 'not it');
  assert.deepEqual(await sheaf(...byFile), { code: 1, out: '', err: 'This does not open Letters.\n' });
  assert.match((await sheaf('vault', '--passphrase-file', `${kept}-none`, 'ls', 'Letters')).err, /-none cannot be read/);
  const asked = ['env', `SHEAF_CLI_DIR=${settings}`, execPath, program, 'vault', 'get', 'Letters/small.txt', '-'];
  const shown = await run('python3', ['-c', inTerminal, passphrase, ...asked]);
  assert.match(shown, /^Passphrase or recovery words of Letters: \r?\n(.*\n)?small\s*$/);
  assert.ok(!shown.includes(passphrase));

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
