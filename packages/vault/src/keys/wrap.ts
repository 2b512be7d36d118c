import { hkdf } from '@noble/hashes/hkdf.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64, toBase64 } from '../base64.ts';
import { type NameOptions, isNameOptions } from '../names/options.ts';
import { type Keys, type Passwords, deriveKeys } from './derive.ts';
import { isPasswords } from './passwords.ts';
import { openJson, sealJson } from './sealed-json.ts';

/**
 * What the server stores of a vault: the passwords, sealed with the passphrase, and the options, sealed with the vault's own key. Sealed options keep a
 * malicious server from making a browser send clear names; opening them also verifies the passwords.
 */
export interface Wrapped {
  readonly v: 1;
  readonly kdf: { readonly N: number; readonly r: number; readonly p: number; readonly salt: string };
  readonly passwords: string;
  readonly check: string;
}

/** Each guess takes 128 MiB and about half a second. */
const kdf = { N: 131_072, r: 8, p: 1 } as const;
/** Limits on the scrypt cost that a server may demand of a browser. */
const mostMemory = 1024 * 1024 * 1024;
const writer = new TextEncoder();
const random = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));

const passphraseKey = (passphrase: string, { N, r, p, salt }: Wrapped['kdf']): Promise<Uint8Array> =>
  scryptAsync(writer.encode(passphrase.normalize('NFC')), fromBase64(salt), { N, r, p, dkLen: 32, maxmem: mostMemory });
const checkKey = ({ data }: Keys): Uint8Array => hkdf(sha256, data, undefined, writer.encode('sheaf vault: check'), 32);

/** Returns the text that the server stores. Composed and decomposed forms of an accented letter count as one passphrase. */
export async function wrap(passphrase: string, passwords: Passwords, options: NameOptions): Promise<string> {
  const strength = { ...kdf, salt: toBase64(random(16)) };
  const wrapped: Wrapped = {
    v: 1,
    kdf: strength,
    passwords: sealJson(await passphraseKey(passphrase, strength), 'sheaf vault: passwords', passwords),
    check: sealJson(checkKey(await deriveKeys(passwords)), 'sheaf vault: options', options),
  };
  return JSON.stringify(wrapped);
}

/** Returns the passwords; undefined for a wrong passphrase. Throws for text that `wrap` did not write. */
export async function unwrap(wrapped: string, passphrase: string): Promise<Passwords | undefined> {
  const { kdf: strength, passwords } = parse(wrapped);
  const opened = openJson(await passphraseKey(passphrase, strength), 'sheaf vault: passwords', passwords);
  if (opened === undefined) return undefined;
  if (!isPasswords(opened)) throw new Error('The sealed passwords have another form.');
  return opened;
}

/** Returns the options of the vault; undefined if the keys are not those of the vault. */
export function provenOptions(wrapped: string, keys: Keys): NameOptions | undefined {
  const options = openJson(checkKey(keys), 'sheaf vault: options', parse(wrapped).check);
  if (options === undefined) return undefined;
  if (!isNameOptions(options)) throw new Error('The sealed options have another form.');
  return options;
}

function parse(text: string): Wrapped {
  const value = JSON.parse(text) as Partial<Wrapped> | null;
  const { N = 0, r = 0, p = 0, salt = '' } = value?.kdf ?? {};
  const isSane = N >= 16_384 && r === 8 && p >= 1 && p <= 4 && 128 * N * r <= mostMemory && typeof salt === 'string';
  if (value?.v !== 1 || !isSane || typeof value.passwords !== 'string' || typeof value.check !== 'string')
    throw new Error('The vault was made by another version of Sheaf.');
  return value as Wrapped;
}
