import { createInflateRaw } from 'node:zlib';
import type { OpenZip } from './archives.ts';
import { NotAZipError } from './zip-directory.ts';

/** Most bytes of one entry that are read and unpacked. */
const most = { packed: 8 << 20, unpacked: 32 << 20 } as const;
const [stored, deflated] = [0, 8];
/** Bytes per piece. */
const pieceSize = 64 * 1024;
/** Room for the extra fields before the bytes; if they are longer, the bytes are read again. */
const roomForExtra = 512;

/**
 * The bytes of an entry, unpacked piece by piece on demand; undefined when the path is missing or too large. Rejects with NotAZipError, also in its
 * pieces, for entries that are damaged, encrypted, or longer than the directory says.
 */
export async function readZipEntry({ directory, size, read }: OpenZip, path: string): Promise<AsyncIterable<Buffer> | undefined> {
  const entry = directory.entries.find((each) => each.path === path);
  if (!entry || entry.packedSize > most.packed || entry.size > most.unpacked) return undefined;
  const { offset, packedSize, method } = entry;
  const upTo = (end: number) => read(offset, Math.min(size, end));
  let bytes = await upTo(offset + 30 + Buffer.byteLength(path) + roomForExtra + packedSize);
  // APPNOTE 4.3.7: a local file header, whose first flag says that the bytes are encrypted.
  if (bytes.length < 30 || bytes.readUInt32LE(0) !== 0x04034b50 || (bytes.readUInt16LE(6) & 1) === 1) throw new NotAZipError();
  const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  if (bytes.length < start + packedSize) bytes = await upTo(offset + start + packedSize);
  const packed = bytes.subarray(start, start + packedSize);
  if (packed.length !== packedSize) throw new NotAZipError();
  if (method === stored) return inPieces(packed);
  return method === deflated ? unpacked(packed, entry.size) : undefined;
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}

async function* unpacked(packed: Buffer, size: number): AsyncGenerator<Buffer> {
  const inflating = createInflateRaw({ chunkSize: pieceSize });
  inflating.end(packed);
  let length = 0;
  try {
    for await (const piece of inflating as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > size) throw new Error('more comes than the directory says');
      yield piece;
    }
  } catch (error) {
    throw Object.assign(new NotAZipError(), { cause: error });
  }
}
