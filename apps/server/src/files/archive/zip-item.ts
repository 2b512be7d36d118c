import type { ArchiveEntry } from './walk.ts';
import type { ZipItem } from './zip-records.ts';

/** Largest size in bytes of files that are read ahead. */
const smallSize = 256 * 1024;

export const isSmall = ({ entry }: ArchiveEntry): boolean => entry.kind === 'file' && entry.size !== undefined && entry.size <= smallSize;

/** Properties of a zip entry; a small file's checksum is known when its header is written, any other's after it has been sent. */
export function zipItemOf(at: ArchiveEntry): ZipItem {
  const { kind, modified, size } = at.entry;
  const isFolder = kind === 'folder';
  return { name: Buffer.from(at.name), isFolder, modified, size: isFolder ? 0 : size, isDescribedAfter: !isFolder && !isSmall(at) };
}
