import assert from 'node:assert/strict';
import { type KeyObject, generateKeyPairSync, verify } from 'node:crypto';
import { test } from 'node:test';
import { readKey } from './keys.ts';

const data = Buffer.from('what is signed');
const pairs: Readonly<Record<string, () => { publicKey: KeyObject; privateKey: KeyObject }>> = {
  'ssh-rsa': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'ecdsa-sha2-nistp256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ssh-ed25519': () => generateKeyPairSync('ed25519'),
};

for (const [type, make] of Object.entries(pairs)) {
  test(`a key of type ${type} in the form PKCS #8 signs as itself, locked and not`, async () => {
    const { publicKey, privateKey } = make();
    const open = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const locked = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' }).toString();
    for (const [content, passphrase] of [
      [open, ''],
      [locked, 'open sesame'],
    ] as const) {
      const key = await readKey(content, passphrase);
      assert.equal(key.type, type);
      if (type === 'ssh-ed25519') assert.ok(verify(undefined, data, publicKey, key.sign(data)));
      else assert.ok(publicKey.export({ type: 'spki', format: 'pem' }).toString().trim() === key.getPublicPEM().trim());
    }
    await assert.rejects(readKey(locked, 'wrong'), { kind: 'wrongPassphrase' });
    await assert.rejects(readKey(locked, ''), { kind: 'wrongPassphrase' });
  });
}

test('data that only looks like PKCS #8 is badKeyFile', async () => {
  await assert.rejects(readKey('-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----\n', ''), { kind: 'badKeyFile' });
});
