import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sshString } from '@sheaf/connectors';
import { type AppError, isPrivateSshKey } from '@sheaf/contract';
import { run, tempDir } from '@sheaf/testbed';
import { fingerprintOf, isSignedWith, readPublicKey } from './public-keys.ts';

const refusal = (text: string): string => {
  try {
    readPublicKey(text);
  } catch (error) {
    return (error as AppError).messageCode;
  }
  return 'taken';
};
const lineOf = (...fields: readonly (string | Buffer)[]): string =>
  `${String(fields[0])} ${Buffer.concat(fields.map(sshString)).toString('base64')}`;

test('public keys of each kind are read, with the fingerprints of ssh-keygen, and private ones are recognised', async (t) => {
  const { path: folder, remove } = await tempDir('ssh-keys');
  t.after(() => remove());
  const made = async (name: string, ...args: readonly string[]): Promise<string> => {
    await run('ssh-keygen', ['-q', '-N', '', '-C', 'mara@laptop, my PRIVATE KEY', ...args, '-f', join(folder, name)]);
    return readFile(join(folder, `${name}.pub`), 'utf8');
  };
  const kinds = { ed25519: [], ecdsa256: ['256'], ecdsa384: ['384'], ecdsa521: ['521'], rsa2048: ['2048'], rsa4096: ['4096'] };
  for (const [name, bits] of Object.entries(kinds)) {
    const line = await made(
      name,
      '-t',
      name.replace(/\d+$/, (digits) => (digits === '25519' ? digits : '')),
      ...bits.flatMap((one) => ['-b', one]),
    );
    const key = readPublicKey(`  ${line}\r\n`);
    assert.equal(key.line, line.split(' ').slice(0, 2).join(' '));
    const listed = await run('ssh-keygen', ['-l', '-f', join(folder, `${name}.pub`)]);
    assert.equal(fingerprintOf(key.line), listed.split(' ')[1]);
    const framed = await run('ssh-keygen', ['-e', '-f', join(folder, `${name}.pub`)]);
    assert.equal(readPublicKey(framed).line, key.line);
    const secret = await readFile(join(folder, name), 'utf8');
    assert.equal(refusal(secret), 'SSH_KEY_PRIVATE');
    assert.equal(refusal(secret.split('\n').slice(1, 4).join('\n')), 'SSH_KEY_PRIVATE');
    assert.equal(refusal(line.replace(' AAAA', ' AAAB')), 'SSH_KEY_UNREADABLE');
    assert.equal(refusal(line.slice(0, 60)), 'SSH_KEY_UNREADABLE');
  }
  for (const form of ['PEM', 'PKCS8']) {
    await made(form, '-t', 'rsa', '-m', form);
    assert.ok(isPrivateSshKey(await readFile(join(folder, form), 'utf8')));
  }
  assert.ok(isPrivateSshKey('PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n'));
  assert.equal(refusal(await made('short', '-t', 'rsa', '-b', '1024')), 'SSH_KEY_SIZE');
  assert.equal(refusal(await made('dsa', '-t', 'dsa')), 'SSH_KEY_KIND');
  await run('ssh-keygen', ['-q', '-s', join(folder, 'ed25519'), '-I', 'mara', join(folder, 'rsa2048.pub')]);
  assert.equal(refusal(await readFile(join(folder, 'rsa2048-cert.pub'), 'utf8')), 'SSH_KEY_KIND');
});

test('RSA signatures are accepted with SHA-256 and SHA-512, and never with SHA-1', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { e = '', n = '' } = publicKey.export({ format: 'jwk' });
  const key = readPublicKey(lineOf('ssh-rsa', Buffer.from(e, 'base64url'), Buffer.concat([Buffer.alloc(1), Buffer.from(n, 'base64url')])));
  const message = Buffer.from('the message');
  for (const hash of ['sha256', 'sha512', 'sha1', undefined]) {
    const signature = sign(hash ?? 'sha1', message, privateKey);
    assert.equal(isSignedWith(key, { message, signature, hash }), hash === 'sha256' || hash === 'sha512', hash ?? 'none');
    assert.ok(!isSignedWith(key, { message: Buffer.from('another'), signature, hash }));
  }
});

test('keys with an invalid point or the wrong kind, incomplete keys of security keys, and several keys at once are refused', () => {
  const ed25519 = lineOf('ssh-ed25519', Buffer.alloc(32, 7));
  assert.equal(refusal(ed25519), 'taken');
  for (const text of [
    '',
    'hello',
    `${ed25519}\n${ed25519}`,
    `restrict ${ed25519}`,
    lineOf('ssh-ed25519', Buffer.alloc(31)),
    lineOf('ssh-ed25519', Buffer.alloc(32), 'more'),
    lineOf('ecdsa-sha2-nistp256', 'nistp256', Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)])),
    lineOf('ecdsa-sha2-nistp256', 'nistp384', Buffer.concat([Buffer.of(4), Buffer.alloc(96, 7)])),
    lineOf('ssh-rsa', Buffer.of(1, 0, 1), Buffer.alloc(256, 0xff)),
    lineOf('ssh-rsa', Buffer.alloc(200, 3), Buffer.alloc(300, 3)),
    `ssh-ed25519 ${Buffer.of(0, 0, 255, 255, 1).toString('base64')}`,
  ])
    assert.equal(refusal(text), 'SSH_KEY_UNREADABLE', text.slice(0, 60));
  assert.equal(refusal(lineOf('ssh-rsa', Buffer.of(1, 0, 1), Buffer.alloc(4096, 3))), 'SSH_KEY_SIZE');
  assert.equal(refusal(lineOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), 'ssh:')), 'taken');
  for (const fields of [[], ['ssh:'], [Buffer.alloc(32, 7)], [Buffer.alloc(32, 7), 'ssh:', 'ssh:']])
    assert.equal(refusal(lineOf('sk-ssh-ed25519@openssh.com', ...fields)), 'SSH_KEY_UNREADABLE');
});
