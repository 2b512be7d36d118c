/**
 * Hashes of a file's content that sources report: `dropbox` is Dropbox's content hash (SHA-256 over the SHA-256 of every 4 MiB), `quickXor`
 * OneDrive's.
 */
export const hashNames = ['md5', 'sha1', 'sha256', 'crc32', 'crc32c', 'crc64nvme', 'quickXor', 'dropbox'] as const;

export type HashName = (typeof hashNames)[number];

/** Hashes of a whole file, each in lower-case hexadecimal; CRCs most significant byte first. */
export type Hashes = Readonly<Partial<Record<HashName, string>>>;
