import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { createFiles, nonceOfHeader } from './content/files.ts';
import { nonceSize } from './content/format.ts';
import { type Keys, type Passwords, deriveKeys } from './keys/derive.ts';
import { openJson, sealJson } from './keys/sealed-json.ts';
import { createNames } from './names/names.ts';
import type { NameOptions } from './names/options.ts';

export type Vault = ReturnType<typeof createVault>;

/** Opens one rclone crypt remote. Does not check the passwords: with wrong ones, each name and file fails to decrypt on its own. */
export const openVault = async (passwords: Passwords, options: NameOptions): Promise<Vault> =>
  createVault(await deriveKeys(passwords), options);

/** Purpose of a note; a note opens only for the purpose it was sealed for. */
export type NotePurpose = 'sheaf vault: share' | 'sheaf vault: upload';

const noteKey = ({ data }: Keys, purpose: NotePurpose): Uint8Array => hkdf(sha256, data, undefined, new TextEncoder().encode(purpose), 32);

export function createVault(keys: Keys, options: NameOptions) {
  const files = createFiles(keys.data);
  return {
    names: createNames(keys.name, keys.tweak, options),
    files,
    nonceOf: nonceOfHeader,
    /** Needed for each file and each new content of a file: two contents under one nonce would reveal both. */
    newNonce: (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(nonceSize)),
    /** Seals a small value with the vault's own key. */
    sealNote(purpose: NotePurpose, value: unknown): string {
      files.check();
      return sealJson(noteKey(keys, purpose), purpose, value);
    },
    /** Returns undefined for a note of another vault or purpose. */
    openNote: (purpose: NotePurpose, text: string): unknown => openJson(noteKey(keys, purpose), purpose, text),
    /** Overwrites the keys, as far as the language allows. */
    wipe(): void {
      files.wipe();
      for (const key of [keys.data, keys.name, keys.tweak]) key.fill(0);
    },
  };
}
