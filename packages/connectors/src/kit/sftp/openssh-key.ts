import { type KeyObject, randomBytes } from 'node:crypto';
import { sshString, sshUint32 } from './ssh-fields.ts';

/**
 * Wraps a private Ed25519 key in OpenSSH's container, unencrypted: the only format in which SSH libraries read it.
 * https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.key
 */
export function opensshEd25519(key: KeyObject): string {
  const { x = '', d = '' } = key.export({ format: 'jwk' });
  const [open, secret] = [Buffer.from(x, 'base64url'), Buffer.from(d, 'base64url')];
  const check = randomBytes(4);
  const inner = Buffer.concat([
    check,
    check,
    sshString('ssh-ed25519'),
    sshString(open),
    sshString(Buffer.concat([secret, open])),
    sshString(''),
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (inner.length % 8)) % 8 }, (_, index) => index + 1));
  const head = Buffer.concat([Buffer.from('openssh-key-v1\0'), sshString('none'), sshString('none'), sshString(''), sshUint32(1)]);
  const blob = Buffer.concat([
    head,
    sshString(Buffer.concat([sshString('ssh-ed25519'), sshString(open)])),
    sshString(Buffer.concat([inner, padding])),
  ]);
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}
