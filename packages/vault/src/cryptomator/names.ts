import { aessiv } from '@noble/ciphers/aes.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { fromBase64Url, toBase64Url } from '../base64.ts';
import type { Masterkey } from './masterkey.ts';

/** Ends of names: of what is encrypted, and of what was shortened because its name is too long for a storage. */
export const encryptedEnd = '.c9r';
export const shortenedEnd = '.c9s';
/** Files in the folder of an item: the id of a folder, the content of a shortened file, the whole name of a shortened item, and where a link leads. */
export const nodeFiles = { folder: 'dir.c9r', content: 'contents.c9r', name: 'name.c9s', link: 'symlink.c9r' } as const;
/** A copy of a folder's own id, for repairs. */
export const folderIdCopy = 'dirid.c9r';

const writer = new TextEncoder();
const reader = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, section 6, without padding: what is encoded has 20 bytes. */
function toBase32(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += letters[(value >>> (bits - 5)) & 31] ?? '';
    value &= 255;
  }
  return text;
}

/** Names of a vault, with AES-SIV (RFC 5297): its key is the MAC key followed by the encryption key. */
export function createCryptomatorNames({ encryption, mac }: Masterkey) {
  const key = (): Uint8Array => Uint8Array.of(...mac, ...encryption);
  return {
    /** Path, below the vault, of the folder with that id; the vault's own id is empty. */
    folderPath(folderId: string): string {
      const hash = toBase32(sha1(aessiv(key()).encrypt(writer.encode(folderId))));
      return `d/${hash.slice(0, 2)}/${hash.slice(2)}`;
    },
    /** Clear name of an item in the folder with that id, from its encrypted one with its end; undefined for what is not part of the vault. */
    decrypt(sealed: string, folderId: string): string | undefined {
      if (!sealed.endsWith(encryptedEnd)) return undefined;
      try {
        const bytes = fromBase64Url(sealed.slice(0, -encryptedEnd.length));
        return reader.decode(aessiv(key(), writer.encode(folderId)).decrypt(bytes));
      } catch {
        return undefined;
      }
    },
    /** Whether a whole encrypted name is the one that was shortened to this. */
    isShortened: (short: string, sealed: string): boolean => `${padded(toBase64Url(sha1(writer.encode(sealed))))}${shortenedEnd}` === short,
  };
}

const padded = (text: string): string => text.padEnd(Math.ceil(text.length / 4) * 4, '=');
