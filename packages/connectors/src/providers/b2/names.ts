import { ConnectorError } from '../../core/error.ts';
import type { StorageLimits } from '../../core/storage-limits.ts';
import { characterEscapes } from '../../kit/xml/character-escapes.ts';

/** Placeholder file of an empty folder; Backblaze's own pages use the same name. */
const folderKeeper = '.bzEmpty';

/** B2 refuses control characters and, in older accounts, backslashes. https://www.backblaze.com/docs/cloud-storage-files */
const escapes = characterEscapes({ character: '[\\\\\\u0001-\\u001f\\u007f]', code: '5C|0[1-9A-F]|1[\\dA-F]|7F' });

/** Maximum UTF-8 bytes of a name and of each path segment. */
const longestName = 1024;
const longestPart = 250;

/** The first segment of a key is its bucket. */
export interface Address {
  readonly bucket: string;
  /** The remaining name in B2's encoding; '' for the bucket itself. */
  readonly name: string;
}

/** Returns the address of a key or of a prefix. A key that ends in `/` means the folder, unless it is a prefix. */
export function addressOf(key: string): Address {
  const cut = key.indexOf('/');
  if (cut < 0) return { bucket: key, name: '' };
  return { bucket: key.slice(0, cut), name: escapes.encode(key.slice(cut + 1)) };
}

/** Returns the name of a folder's placeholder file; `folder` is '' or ends in `/`. */
export const keeperOf = (folder: string): string => folder + folderKeeper;

export const isKeeper = (name: string): boolean => name === folderKeeper || name.endsWith(`/${folderKeeper}`);

/** Returns the key of a file, or of the folder for a placeholder file. */
export function keyOf(bucket: string, name: string): string {
  const shown = isKeeper(name) ? name.slice(0, -folderKeeper.length) : name;
  return `${bucket}/${escapes.decode(shown)}`;
}

/** Like `keyOf`, but returns a placeholder file's own key. */
export const plainKeyOf = (bucket: string, name: string): string => `${bucket}/${escapes.decode(name)}`;

/** https://www.backblaze.com/docs/cloud-storage-files; the bucket's name (63 bytes at most) comes before the file's own path. */
export const b2Limits: StorageLimits = {
  names: { length: { most: longestPart, unit: 'bytes' }, pathLength: { most: longestName + 64, unit: 'bytes' } },
  fileBytes: 10 ** 13,
};

/** Throws `badName` for a name that B2 would refuse. */
export function checkName(name: string): void {
  const parts = name.split('/');
  const isFit = Buffer.byteLength(name) <= longestName && parts.every((part) => part !== '' && Buffer.byteLength(part) <= longestPart);
  if (!isFit) throw new ConnectorError('badName', 'B2 holds no name that is so long, or has an empty part');
}

/** Percent-encoded for paths and headers: https://www.backblaze.com/docs/cloud-storage-native-api-string-encoding */
export const encodeName = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
