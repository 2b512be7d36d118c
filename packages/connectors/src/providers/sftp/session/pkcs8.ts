import { type KeyObject, createPrivateKey } from 'node:crypto';
import { ConnectorError } from '../../../core/error.ts';
import { opensshEd25519 } from '../../../kit/sftp/openssh-key.ts';

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
