import type { ParsedKey } from 'ssh2';
import { ConnectorError } from '../../../core/error.ts';
import { fromPkcs8, isPkcs8 } from './pkcs8.ts';

/**
 * Parses a private key: OpenSSH (its PROTOCOL.key), PEM (RFC 1421), PKCS #8 or PuTTY version 2. Throws `wrongPassphrase` when the key is
 * encrypted and the passphrase is missing or wrong, `badKeyFile` when it is not a readable private key.
 */
export async function readKey(content: string, passphrase: string): Promise<ParsedKey> {
  const { default: ssh2 } = await import('ssh2');
  const normal = `${content.trim().replaceAll('\r\n', '\n')}\n`;
  const parsed = isPkcs8(normal) ? ssh2.utils.parseKey(fromPkcs8(normal, passphrase)) : ssh2.utils.parseKey(normal, passphrase);
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key === undefined || key instanceof Error) {
    if (isLocked(normal)) throw new ConnectorError('wrongPassphrase', 'the passphrase does not open the key', { cause: key });
    throw new ConnectorError('badKeyFile', 'no key that can be read', { cause: key });
  }
  if (!key.isPrivateKey()) throw new ConnectorError('badKeyFile', 'a public key where the private one is wanted');
  return key;
}

/** Whether a key file declares itself as encrypted. */
function isLocked(content: string): boolean {
  if (content.startsWith('PuTTY-User-Key-File-2:')) return /^Encryption: (?!none)/m.test(content) && /^Private-MAC: /m.test(content);
  const [, label, inner = ''] = /^-----BEGIN ([A-Z ]+)-----\n([\s\S]*)\n-----END \1-----\n$/.exec(content) ?? [];
  if (label !== 'OPENSSH PRIVATE KEY') return label !== undefined && /^Proc-Type: 4,ENCRYPTED$/m.test(inner);
  const bytes = Buffer.from(inner, 'base64');
  const magic = 'openssh-key-v1\0';
  if (bytes.length < magic.length + 8 || bytes.toString('latin1', 0, magic.length) !== magic) return false;
  const nameLength = bytes.readUInt32BE(magic.length);
  return bytes.toString('latin1', magic.length + 4, magic.length + 4 + nameLength) !== 'none';
}
