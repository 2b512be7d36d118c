import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualNames } from '../names/options.ts';
import { deriveKeys } from './derive.ts';
import { cryptSection, cryptSections, obscure, revealPassword } from './rclone-conf.ts';
import { strengthOf } from './strength.ts';
import { areWords, newWords, tidyWords } from './words.ts';
import { provenOptions, unwrap, wrap } from './wrap.ts';

const passwords = { password: newWords(), password2: 'sält' };
const options = { ...usualNames, filename_encoding: 'base64' as const };

test('only the passphrase opens the passwords, and only their keys open the options', async () => {
  const wrapped = await wrap('Schlüssel', passwords, options);
  assert.ok(!wrapped.includes('sält') && !wrapped.includes(passwords.password) && !wrapped.includes('base64'));
  assert.deepEqual(await unwrap(wrapped, 'Schlu\u0308ssel'), passwords);
  assert.equal(await unwrap(wrapped, 'schlüssel'), undefined);
  assert.deepEqual(provenOptions(wrapped, await deriveKeys(passwords)), options);
  assert.equal(provenOptions(wrapped, await deriveKeys({ ...passwords, password2: '' })), undefined);

  const parts = JSON.parse(wrapped) as Record<string, unknown>;
  const flipped = (text: string): string =>
    Uint8Array.fromBase64(text)
      .map((byte, index) => (index === 20 ? byte ^ 1 : byte))
      .toBase64();
  const changed = JSON.stringify({ ...parts, passwords: flipped(parts['passwords'] as string) });
  assert.equal(await unwrap(changed, 'Schlüssel'), undefined);
  const otherOptions = JSON.stringify({ ...parts, check: flipped(parts['check'] as string) });
  assert.equal(provenOptions(otherOptions, await deriveKeys(passwords)), undefined);
});

test('a server can neither weaken the key derivation nor make it arbitrarily expensive', async () => {
  const parts = JSON.parse(await wrap('p', passwords, options)) as { kdf: object };
  for (const kdf of [{ N: 2 }, { N: 2 ** 24 }, { r: 1 }, { p: 1000 }])
    await assert.rejects(unwrap(JSON.stringify({ ...parts, kdf: { ...parts.kdf, ...kdf } }), 'p'));
  for (const text of ['null', '{}', '{"v":2}']) await assert.rejects(unwrap(text, 'p'));
});

test('recovery words are checked before they are tried', () => {
  const words = newWords();
  assert.equal(words.split(' ').length, 12);
  assert.notEqual(newWords(), words);
  assert.ok(areWords(tidyWords(`  ${words.toUpperCase().replaceAll(' ', '\n')} `)));
  assert.ok(!areWords(words.split(' ').slice(1).join(' ')));
  assert.ok(!areWords(words.replace(/^\w+/, 'lantren')));
});

test('the strength of a passphrase is not overestimated', () => {
  const level = (text: string): number => strengthOf(text).level;
  for (const weak of [
    '',
    'a',
    'Password1!',
    'aaaaaaaaaaaaaaaaaaaa',
    'qwertyuiop123456',
    'Sommer2024!',
    'amber violin',
    '123456789012345678',
    'amber amber amber amber amber',
  ])
    assert.equal(level(weak), 0, weak);
  assert.equal(level('xK9!vQ2#mW7$pL4z'), 3);
  const words = newWords().split(' ');
  assert.ok(level(words.slice(0, 4).join(' ')) < 3);
  assert.equal(level(words.slice(0, 6).join(' ')), 3);
});

test('a vault is written to the configuration of rclone and read back', () => {
  assert.equal(revealPassword(obscure('pässword')), 'pässword');
  assert.equal(revealPassword('short'), undefined);
  const conf = `# mine\n[nas]\ntype = sftp\npass = x\n\n${cryptSection('papers', 'nas:Private', passwords, options)}`;
  assert.deepEqual(cryptSections(conf), [{ name: 'papers', remote: 'nas:Private', passwords, options }]);
  const plain = { password: 'one', password2: '' };
  const bare = `[c]\r\ntype=crypt\r\nremote = x:\r\npassword = ${obscure('one')}\r\nsuffix = none\r\n`;
  assert.deepEqual(cryptSections(bare), [{ name: 'c', remote: 'x:', passwords: plain, options: { ...usualNames, suffix: '' } }]);
});
