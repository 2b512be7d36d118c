/** An entry of an archive's directory. */
export interface ArchivedEntry {
  /** With slashes between folders, as in the archive: only displayed, never used as a path. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Unpacked size in bytes. */
  readonly size: number;
}

/** An entry with the location of its bytes. */
export interface ZipEntry extends ArchivedEntry {
  /** Compression method: 0 none, 8 deflate (APPNOTE 4.4.5). */
  readonly method: number;
  /** Packed size in bytes. */
  readonly packedSize: number;
  /** Offset of its local header. */
  readonly offset: number;
}

export interface ZipDirectory {
  readonly entries: ZipEntry[];
  /** Number of entries according to the archive. */
  readonly total: number;
}

/** Not a zip, or a damaged one. */
export class NotAZipError extends Error {
  constructor() {
    super('This is not a zip archive.');
    this.name = 'NotAZipError';
  }
}

/** Bytes `start` to `end` of the archive, complete. */
export type Read = (start: number, end: number) => Promise<Buffer>;

/** Most entries and bytes of the directory that are read. */
const most = { entries: 5000, bytes: 2 << 20 } as const;
/** The end record and the longest comment after it; with room for the records of zip64 before it. */
const tailLength = 22 + 0xffff + 20 + 56;
const signatures = { end: 0x06054b50, locator: 0x07064b50, end64: 0x06064b50, entry: 0x02014b50 } as const;

/**
 * Reads the directory of a zip archive of `size` bytes by ranges: its end, and the directory itself. Rejects with NotAZipError. PKWARE's APPNOTE
 * 6.3.10, sections 4.3.12 to 4.3.16 and 4.4.
 */
export async function readZipDirectory(read: Read, size: number): Promise<ZipDirectory> {
  const tailStart = Math.max(0, size - tailLength);
  const tail = await read(tailStart, size);
  const { start, length, total, endsAt } = await findDirectory(read, tail, tailStart);
  if (total === 0) return { entries: [], total };
  if (length <= 0 || start < 0 || start + length > size) throw new NotAZipError();
  const part = (from: number): Promise<Buffer> => {
    const to = from + Math.min(length, most.bytes);
    return from >= tailStart ? Promise.resolve(tail.subarray(from - tailStart, to - tailStart)) : read(from, to);
  };
  let directory = await part(start);
  // Data may precede the archive, as in a self-extracting one: then all offsets are short by its length.
  if (!isEntry(directory) && endsAt !== undefined && endsAt - length >= 0) directory = await part(endsAt - length);
  if (!isEntry(directory)) throw new NotAZipError();
  return { entries: entriesOf(directory), total };
}

const isEntry = (bytes: Buffer): boolean => bytes.length >= 46 && bytes.readUInt32LE(0) === signatures.entry;

interface Place {
  readonly start: number;
  readonly length: number;
  readonly total: number;
  /** Offset of the end record, where the directory should end. */
  readonly endsAt?: number;
}

async function findDirectory(read: Read, tail: Buffer, tailStart: number): Promise<Place> {
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== signatures.end || at + 22 + tail.readUInt16LE(at + 20) > tail.length) continue;
    const place = {
      total: tail.readUInt16LE(at + 10),
      length: tail.readUInt32LE(at + 12),
      start: tail.readUInt32LE(at + 16),
      endsAt: tailStart + at,
    };
    const isLarge = place.total === 0xffff || place.length === 0xffffffff || place.start === 0xffffffff;
    const locator = at - 20;
    if (!isLarge || locator < 0 || tail.readUInt32LE(locator) !== signatures.locator) return place;
    const endStart = safeNumber(tail.readBigUInt64LE(locator + 8));
    if (endStart > tailStart + locator - 56) throw new NotAZipError();
    const end =
      endStart >= tailStart ? tail.subarray(endStart - tailStart, endStart - tailStart + 56) : await read(endStart, endStart + 56);
    if (end.length < 56 || end.readUInt32LE(0) !== signatures.end64) throw new NotAZipError();
    return {
      total: safeNumber(end.readBigUInt64LE(32)),
      length: safeNumber(end.readBigUInt64LE(40)),
      start: safeNumber(end.readBigUInt64LE(48)),
    };
  }
  throw new NotAZipError();
}

function entriesOf(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < most.entries && at + 46 <= directory.length && directory.readUInt32LE(at) === signatures.entry) {
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    if (extraEnd > directory.length) break;
    const path = nameOf(directory.subarray(at + 46, nameEnd));
    const size = directory.readUInt32LE(at + 24);
    entries.push({
      path,
      isFolder: path.endsWith('/'),
      method: directory.readUInt16LE(at + 10),
      packedSize: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
      size: size === 0xffffffff ? (largeSize(directory.subarray(nameEnd, extraEnd)) ?? size) : size,
    });
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** The size in a zip64 field (header 0x0001): its first number if the entry's own field is full. */
function largeSize(extra: Buffer): number | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1 && extra.readUInt16LE(at + 2) >= 8 && at + 12 <= extra.length)
      return safeNumber(extra.readBigUInt64LE(at + 4));
  }
  return undefined;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Current archives use UTF-8, whether or not flag 11 is set; older names are decoded byte by byte. */
function nameOf(bytes: Buffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

function safeNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new NotAZipError();
  return Number(value);
}
