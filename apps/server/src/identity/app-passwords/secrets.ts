import { hkdfSync, randomBytes } from 'node:crypto';

/** Letters and digits that nobody confuses when typing: five bits each. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const lettersOf = (bytes: Uint8Array): string => [...bytes].map((byte) => alphabet[byte % 32] ?? '').join('');

/** The parts that programs need, none of which reveals another. */
export interface AppPasswordSecrets {
  /** 25 letters in groups of five, 125 bits. */
  readonly password: string;
  /** 40 characters, 240 bits. */
  readonly secretAccessKey: string;
}

/** New secrets, derived from one random value (HKDF, RFC 5869). */
export function newSecrets(): AppPasswordSecrets {
  const secret = randomBytes(32);
  const derive = (purpose: string, length: number): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', secret, '', `sheaf app password ${purpose}`, length));
  return {
    password: (lettersOf(derive('password', 25)).match(/.{5}/g) ?? []).join('-'),
    secretAccessKey: Buffer.from(derive('secret key', 30)).toString('base64url'),
  };
}

/** A user name made of the account's name, so that it can be recognised: `mara-7f2kcd`. */
export function newUsername(accountName: string): string {
  const plain = accountName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  const first = plain.split(' ')[0]?.slice(0, 16) ?? '';
  return `${first === '' ? 'sheaf' : first}-${lettersOf(randomBytes(6))}`;
}

/** In the form of AWS: 16 capital letters and digits. */
export const newAccessKeyId = (): string => `SHF${lettersOf(randomBytes(13)).toUpperCase()}`;
