import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sshString } from '@sheaf/connectors';
import type { AppError } from '@sheaf/contract';
import { run, tempDir } from '@sheaf/testbed';
import { fingerprintOf, isSignedWith, readPublicKey } from './public-keys.ts';
import { securityKeyDevice } from './testing/security-key.ts';

const message = Buffer.from('what the client signs');
const kinds = ['ed25519', 'ecdsa'] as const;

test('a key of a security key signs with a touch, whatever its counter, and not without one', async (t) => {
  const { path: folder, remove } = await tempDir('security-keys');
  t.after(() => remove());
  for (const kind of kinds) {
    const device = securityKeyDevice(kind, 'ssh:work');
    const key = readPublicKey(`${device.line} mara@laptop`);
    assert.equal(key.line, device.line);
    assert.equal(key.kind, device.algorithm);
    // OpenSSH reads the line that the simulated device tells.
    await writeFile(join(folder, `${kind}.pub`), `${device.line}\n`);
    assert.equal((await run('ssh-keygen', ['-l', '-f', join(folder, `${kind}.pub`)])).split(' ')[1], fingerprintOf(device.line));
    const isSigned = (signature: Buffer, signed = message): boolean => isSignedWith(key, { message: signed, signature, hash: undefined });
    // Often enough for numbers of ECDSA with a zero before them, and shorter ones.
    for (let counter = 0; counter < 300; counter++) assert.ok(isSigned(device.sign(message, { counter })), `${kind} ${counter}`);
    // Present and verified by a PIN; with any other flag beside.
    assert.ok(isSigned(device.sign(message, { flags: 5 })));
    for (const flags of [0, 4, 0x80]) assert.ok(!isSigned(device.sign(message, { flags })), `${kind}: nobody has touched it`);
    const right = device.sign(message);
    assert.ok(!isSigned(right, Buffer.from('another')));
    for (let at = 0; at < right.length; at++) {
      const changed = Buffer.from(right);
      changed[at] = (changed[at] ?? 0) ^ 0x04;
      assert.ok(!isSigned(changed), `${kind}: byte ${at}`);
    }
    for (const length of [0, 4, 5, 6, 12, right.length - 1]) assert.ok(!isSigned(right.subarray(0, length)), `${kind}: ${length} bytes`);
    assert.ok(!isSigned(Buffer.concat([right, Buffer.alloc(1)])));
    assert.ok(!isSigned(securityKeyDevice(kind, 'ssh:work').sign(message)), 'another device');
  }
});

test('the application is signed: a key for something else than SSH is refused, and another application signs nothing', () => {
  for (const kind of kinds) {
    const device = securityKeyDevice(kind);
    const own = readPublicKey(device.line);
    const renamed = Buffer.concat([device.blob.subarray(0, -8), sshString('ssh:other')]);
    const other = readPublicKey(`${device.algorithm} ${renamed.toString('base64')}`);
    const signature = device.sign(message);
    assert.ok(isSignedWith(own, { message, signature, hash: undefined }));
    assert.ok(!isSignedWith(other, { message, signature, hash: undefined }));
    for (const application of ['', 'https://bank.example', `ssh:${'x'.repeat(300)}`])
      assert.throws(
        () => readPublicKey(securityKeyDevice(kind, application).line),
        (error: AppError) => error.messageCode === 'SSH_KEY_UNREADABLE',
      );
  }
});
