import { type KeyObject, createPrivateKey, randomBytes } from 'node:crypto';
import { ConnectorError } from '../../../core/error.ts';

/** Whether the text is a PKCS #8 key (RFC 5958), encrypted or not. */
export const isPkcs8 = (content: string): boolean => /^-----BEGIN (?:ENCRYPTED )?PRIVATE KEY-----$/m.test(content);

/** Converts the key to a format that SSH libraries read: PKCS #1, SEC 1 or OpenSSH. Throws `wrongPassphrase` or `badKeyFile`. */
export function fromPkcs8(content: string, passphrase: string): string {
  const key = opened(content, passphrase);
  if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'pem' }).toString();
  if (key.asymmetricKeyType === 'ec') return key.export({ type: 'sec1', format: 'pem' }).toString();
  if (key.asymmetricKeyType === 'ed25519') return opensshEd25519(key);
  throw new ConnectorError('badKeyFile', `SSH has no keys of type ${key.asymmetricKeyType}`);
}

function opened(content: string, passphrase: string): KeyObject {
  try {
    return createPrivateKey({ key: content, format: 'pem', passphrase });
  } catch (cause) {
    if (/^-----BEGIN ENCRYPTED /m.test(content))
      throw new ConnectorError('wrongPassphrase', 'the passphrase does not open the key', { cause });
    throw new ConnectorError('badKeyFile', 'no key that can be read', { cause });
  }
}

/** Wraps the key in OpenSSH's container (its PROTOCOL.key), unencrypted: the only format for Ed25519. */
function opensshEd25519(key: KeyObject): string {
  const { x = '', d = '' } = key.export({ format: 'jwk' });
  const [open, secret] = [Buffer.from(x, 'base64url'), Buffer.from(d, 'base64url')];
  const check = randomBytes(4);
  const inner = Buffer.concat([check, check, field('ssh-ed25519'), field(open), field(Buffer.concat([secret, open])), field('')]);
  const padding = Buffer.from(Array.from({ length: (8 - (inner.length % 8)) % 8 }, (_, index) => index + 1));
  const one = Buffer.from([0, 0, 0, 1]);
  const head = Buffer.concat([Buffer.from('openssh-key-v1\0'), field('none'), field('none'), field(''), one]);
  const blob = Buffer.concat([head, field(Buffer.concat([field('ssh-ed25519'), field(open)])), field(Buffer.concat([inner, padding]))]);
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

/** Encodes a string of the SSH wire format: length, then bytes (RFC 4251, 5). */
function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
