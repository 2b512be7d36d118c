import { createFiles, nonceOfHeader } from './content/files.ts';
import { nonceSize } from './content/format.ts';
import { type Keys, type Passwords, deriveKeys } from './keys/derive.ts';
import { createNames } from './names/names.ts';
import type { NameOptions } from './names/options.ts';

export type Vault = ReturnType<typeof createVault>;

/** The names and contents of one rclone crypt remote. Passwords are not checked here: files and names that do not open are told one by one. */
export const openVault = async (passwords: Passwords, options: NameOptions): Promise<Vault> =>
  createVault(await deriveKeys(passwords), options);

export function createVault(keys: Keys, options: NameOptions) {
  const files = createFiles(keys.data);
  return {
    names: createNames(keys.name, keys.tweak, options),
    files,
    nonceOf: nonceOfHeader,
    /** For each file, and for each new content of one: two contents under one nonce would give both away. */
    newNonce: (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(nonceSize)),
    /** Overwrites the keys, as far as the language allows. */
    wipe(): void {
      files.wipe();
      for (const key of [keys.data, keys.name, keys.tweak]) key.fill(0);
    },
  };
}
