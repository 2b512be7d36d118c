import type { ArchiveEntry } from './walk.ts';
import type { ZipItem } from './zip-records.ts';

/** Files up to this size are read ahead, whole; bytes. */
const smallSize = 256 * 1024;

export const isSmall = ({ entry }: ArchiveEntry): boolean => entry.kind === 'file' && entry.size !== undefined && entry.size <= smallSize;

/** What a zip says of an entry; a small file's checksum is known when its header is written, another one's when it has been sent. */
export function zipItemOf(at: ArchiveEntry): ZipItem {
  const { kind, modified, size } = at.entry;
  const isFolder = kind === 'folder';
  return { name: Buffer.from(at.name), isFolder, modified, size: isFolder ? 0 : size, isDescribedAfter: !isFolder && !isSmall(at) };
}
