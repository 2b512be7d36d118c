import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Passwords } from './derive.ts';
import { isPasswords } from './passwords.ts';
import { openJson, sealJson } from './sealed-json.ts';

/** Derives a key from `output`, the result of a passkey's `prf` extension for a salt (WebAuthn Level 3): 32 bytes that only this passkey produces. */
const keyOf = (output: Uint8Array): Uint8Array => hkdf(sha256, output, undefined, new TextEncoder().encode('sheaf vault: passkey'), 32);
const purpose = 'sheaf vault: passkey';

/** Seals the passwords of a vault with the `prf` output of a passkey. */
export const sealForPasskey = (output: Uint8Array, passwords: Passwords): string => sealJson(keyOf(output), purpose, passwords);

/** Returns undefined if another passkey sealed them. */
export function openWithPasskey(output: Uint8Array, sealed: string): Passwords | undefined {
  const opened = openJson(keyOf(output), purpose, sealed);
  return isPasswords(opened) ? opened : undefined;
}
