import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';

/** A file or folder as sent; docs/gateway/protocol.md describes each field. */
export interface WireEntry {
  readonly name: string;
  /** Percent-encoded bytes of a name that is not UTF-8; `name` is then for display only. */
  readonly encodedName?: string;
  readonly kind: 'file' | 'folder';
  readonly size?: number;
  readonly modified: number;
  readonly etag?: string;
  readonly link?: true;
  /** Only in the answer to a request for it. */
  readonly hashes?: { readonly sha256: string };
}

/** Builds an entry from `stats`; undefined for anything but files and folders, such as a socket. */
export function toEntry(name: Buffer, stats: Stats): WireEntry | undefined {
  const modified = Math.floor(stats.mtimeMs / 1000);
  if (stats.isDirectory()) return { ...toNames(name), kind: 'folder', modified };
  if (!stats.isFile()) return undefined;
  return { ...toNames(name), kind: 'file', size: stats.size, modified, etag: etagOf(stats) };
}

const toNames = (name: Buffer): Pick<WireEntry, 'name' | 'encodedName'> => ({
  name: name.toString('utf8'),
  ...(!isUtf8(name) && { encodedName: Array.from(name, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('') }),
});

/**
 * Strong (RFC 9110, section 8.8.3): contains the time of the last change of any kind, which nobody can set back, and the inode, which changes when a
 * file is replaced.
 */
export const etagOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): string =>
  `"${[size, mtimeMs * 1000, ctimeMs * 1000, ino].map((part) => Math.round(part).toString(36)).join('-')}"`;
