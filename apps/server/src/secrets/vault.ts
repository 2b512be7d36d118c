import { type KeyObject, createCipheriv, createDecipheriv, createPrivateKey, hkdfSync, randomBytes } from 'node:crypto';
import { appError } from '@sheaf/contract';

/** The place a secret is bound to: sealed for one place, it cannot be opened in another. */
export interface SecretPlace {
  readonly table: string;
  readonly recordId: string;
  readonly field: string;
}

/** Seals secrets at rest. */
export interface Vault {
  seal(place: SecretPlace, secret: string): string;
  /** Throws SECRET_UNREADABLE when it was sealed with an unknown key, and UNEXPECTED when the text was changed or moved. */
  open(place: SecretPlace, sealed: string): string;
  /** Whether the text is sealed with the newest key. */
  isCurrent(sealed: string): boolean;
  /** The Ed25519 key (RFC 8032) for that purpose: the same in every instance, another after a change of the master key. */
  signingKey(purpose: string): KeyObject;
}

/** What stands before the 32 bytes of a private key in PKCS #8 (RFC 8410, section 7). */
const ed25519Head = Buffer.from('302e020100300506032b657004220420', 'hex');
const version = 'v1';
const cipherName = 'aes-256-gcm';
const derive = (key: Buffer, salt: Buffer, purpose: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `sheaf ${purpose}`, length));

/** A short name of the key, from which the key cannot be found. */
export const keyIdOf = (key: Buffer): string => derive(key, Buffer.alloc(0), 'key id', 6).toString('base64url');

/**
 * A vault with a master key of 32 bytes, and older keys that may have sealed existing secrets. Each secret has its own key, derived from the master
 * key and a random salt (HKDF, RFC 5869), and is bound to its place and the format's version as additional data (AES-256-GCM, NIST SP 800-38D).
 * Sealed text is `v1.{key id}.{salt}.{nonce}.{ciphertext and tag}`.
 */
export function createVault(current: Buffer, previous: readonly Buffer[] = []): Vault {
  const keys = new Map([...previous, current].map((key) => [keyIdOf(key), key]));
  const currentId = keyIdOf(current);
  const boundTo = ({ table, recordId, field }: SecretPlace): Buffer => Buffer.from(JSON.stringify([version, table, recordId, field]));

  return {
    seal(place, secret) {
      const [salt, nonce] = [randomBytes(16), randomBytes(12)];
      const cipher = createCipheriv(cipherName, derive(current, salt, 'record', 32), nonce).setAAD(boundTo(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [version, currentId, ...[salt, nonce, text].map((part) => part.toString('base64url'))].join('.');
    },
    open(place, sealed) {
      const [format, keyId = '', ...parts] = sealed.split('.');
      const [salt, nonce, text] = parts.map((part) => Buffer.from(part, 'base64url'));
      const key = keys.get(keyId);
      if (format === version && !key) throw appError('SECRET_UNREADABLE', {});
      if (format !== version || !key || !salt || !nonce || !text || text.length < 16) throw appError('UNEXPECTED', { code: '799' });
      try {
        const decipher = createDecipheriv(cipherName, derive(key, salt, 'record', 32), nonce).setAAD(boundTo(place));
        decipher.setAuthTag(text.subarray(-16));
        return Buffer.concat([decipher.update(text.subarray(0, -16)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw appError('UNEXPECTED', { code: '799' }, error);
      }
    },
    signingKey: (purpose) =>
      createPrivateKey({
        key: Buffer.concat([ed25519Head, derive(current, Buffer.alloc(0), `sign ${purpose}`, 32)]),
        format: 'der',
        type: 'pkcs8',
      }),
    isCurrent: (sealed) => sealed.startsWith(`${version}.${currentId}.`),
  };
}
