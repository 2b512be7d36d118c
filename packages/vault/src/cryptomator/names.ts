import { aessiv } from '@noble/ciphers/aes.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { fromBase64Url, toBase64Url } from '../base64.ts';
import type { Masterkey } from './masterkey.ts';

/** Extensions: of encrypted names, and of names that were shortened because they are too long for a storage. */
export const encryptedEnd = '.c9r';
export const shortenedEnd = '.c9s';
/** Files in the folder of an item: id of a folder, content of a shortened file, full name of a shortened item, target of a symbolic link. */
export const nodeFiles = { folder: 'dir.c9r', content: 'contents.c9r', name: 'name.c9s', link: 'symlink.c9r' } as const;
/** Backup of a folder's id, which Cryptomator keeps for repairs. */
export const folderIdCopy = 'dirid.c9r';

const writer = new TextEncoder();
const reader = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, section 6. Needs no padding: the input always has 20 bytes. */
function toBase32(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += letters[(value >>> (bits - 5)) & 31] ?? '';
    value &= 255;
  }
  return text;
}

/** Decrypts names of a vault with AES-SIV (RFC 5297), whose key is the MAC key followed by the encryption key. */
export function createCryptomatorNames({ encryption, mac }: Masterkey) {
  const key = (): Uint8Array => Uint8Array.of(...mac, ...encryption);
  return {
    /** Returns the path, relative to the vault, of the folder with that id; the id of the root is empty. */
    folderPath(folderId: string): string {
      const hash = toBase32(sha1(aessiv(key()).encrypt(writer.encode(folderId))));
      return `d/${hash.slice(0, 2)}/${hash.slice(2)}`;
    },
    /** Decrypts the name, with its extension, of an item in the folder with that id; undefined for an item that is not part of the vault. */
    decrypt(sealed: string, folderId: string): string | undefined {
      if (!sealed.endsWith(encryptedEnd)) return undefined;
      try {
        const bytes = fromBase64Url(sealed.slice(0, -encryptedEnd.length));
        return reader.decode(aessiv(key(), writer.encode(folderId)).decrypt(bytes));
      } catch {
        return undefined;
      }
    },
    /** Whether `short` is the shortened form of a full encrypted name. */
    isShortened: (short: string, sealed: string): boolean => `${padded(toBase64Url(sha1(writer.encode(sealed))))}${shortenedEnd}` === short,
  };
}

const padded = (text: string): string => text.padEnd(Math.ceil(text.length / 4) * 4, '=');
