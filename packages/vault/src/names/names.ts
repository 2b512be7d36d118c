import { createEme, longestName } from './eme.ts';
import { obfuscate, reveal } from './obfuscate.ts';
import type { NameOptions } from './options.ts';
import { textEncodings } from './text-encodings.ts';
import { versionOf, withVersion } from './versions.ts';

const blockSize = 16;
const writer = new TextEncoder();
const reader = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Encrypts and decrypts the names of one vault; a name is one path segment. `nameKey`: 32 bytes; `tweak`: 16 bytes. */
export function createNames(nameKey: Uint8Array, tweak: Uint8Array, options: NameOptions) {
  const eme = createEme(nameKey, tweak);
  const text = textEncodings[options.filename_encoding];
  const keySum = nameKey.reduce((sum, byte) => sum + byte, 0);

  function sealed(name: string): string {
    if (name === '') return '';
    const bytes = writer.encode(name);
    const missing = blockSize - (bytes.length % blockSize);
    const padded = new Uint8Array(bytes.length + missing).fill(missing);
    padded.set(bytes);
    return text.encode(eme.encrypt(padded));
  }

  function opened(name: string): string | undefined {
    if (name === '') return '';
    const bytes = text.decode(name);
    if (!bytes || bytes.length === 0 || bytes.length % blockSize !== 0 || bytes.length > longestName) return undefined;
    const padded = eme.decrypt(bytes);
    const missing = padded.at(-1) ?? 0;
    if (missing === 0 || missing > blockSize || padded.subarray(-missing).some((byte) => byte !== missing)) return undefined;
    try {
      return reader.decode(padded.subarray(0, -missing));
    } catch {
      // Not UTF-8: a browser can neither show nor write such a name.
      return undefined;
    }
  }

  const [hide, show] =
    options.filename_encryption === 'obfuscate'
      ? [(name: string) => obfuscate(name, keySum), (name: string) => reveal(name, keySum)]
      : [sealed, opened];

  /** Applies `change` to a name without its version mark, which stays as it is. */
  function around(name: string, change: (name: string) => string | undefined): string | undefined {
    const found = versionOf(name);
    const changed = change(found?.name ?? name);
    return changed !== undefined && found ? withVersion(changed, found.version) : changed;
  }

  const isClear = options.filename_encryption === 'off';
  const keepsFolders = isClear || !options.directory_name_encryption;

  return {
    /** Returns the name as stored. Throws RangeError for a name of more than 2,047 bytes. */
    encryptFile: (name: string): string => (isClear ? name + options.suffix : (around(name, hide) ?? '')),
    encryptFolder: (name: string): string => (keepsFolders ? name : (around(name, hide) ?? '')),
    /** Returns undefined for a file that does not belong to the vault. */
    decryptFile(name: string): string | undefined {
      if (!isClear) return around(name, show);
      const clear = options.suffix === '' ? name : name.slice(0, -options.suffix.length);
      return clear !== '' && name.endsWith(options.suffix) && versionOf(clear)?.name !== '' ? clear : undefined;
    },
    decryptFolder: (name: string): string | undefined => (keepsFolders ? name : around(name, show)),
  };
}
