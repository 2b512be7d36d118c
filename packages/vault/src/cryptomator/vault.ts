import { createCryptomatorFiles } from './contents.ts';
import { openMasterkey, readConfig } from './masterkey.ts';
import { createCryptomatorNames } from './names.ts';

export type CryptomatorVault = NonNullable<Awaited<ReturnType<typeof openCryptomator>>>;

/**
 * Opens a Cryptomator vault of format 8 for reading, from the texts of its two files. Undefined for a wrong passphrase. Throws for files that are not
 * Cryptomator's, or were changed.
 */
export async function openCryptomator(masterkeyFile: string, config: string, passphrase: string) {
  const masterkey = await openMasterkey(masterkeyFile, passphrase);
  if (!masterkey) return undefined;
  const { cipherCombo } = readConfig(config, masterkey);
  const keys = { encryption: Uint8Array.from(masterkey.encryption), mac: Uint8Array.from(masterkey.mac) };
  return {
    names: createCryptomatorNames(keys),
    files: createCryptomatorFiles(keys, cipherCombo),
    /** Overwrites the keys, as far as the language allows. */
    wipe(): void {
      for (const key of [keys.encryption, keys.mac, masterkey.encryption, masterkey.mac]) key.fill(0);
    },
  };
}
