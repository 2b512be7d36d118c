import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { OpenZip } from './archives.ts';
import { NotAZipError } from './zip-directory.ts';

const inflate = promisify(inflateRaw);

/** Bytes of one entry that are read and unpacked at most. */
const most = { packed: 8 << 20, unpacked: 32 << 20 } as const;
const [stored, deflated] = [0, 8];
/** Room for the extra fields before the bytes; where they are longer, the bytes are read once more. */
const roomForExtra = 512;

/** The bytes of an entry, unpacked; undefined when there is none of that path or it is too large. Rejects with NotAZipError for what is damaged or enciphered. */
export async function readZipEntry({ directory, size, read }: OpenZip, path: string): Promise<Buffer | undefined> {
  const entry = directory.entries.find((each) => each.path === path);
  if (!entry || entry.packedSize > most.packed || entry.size > most.unpacked) return undefined;
  const { offset, packedSize, method } = entry;
  const upTo = (end: number) => read(offset, Math.min(size, end));
  let bytes = await upTo(offset + 30 + Buffer.byteLength(path) + roomForExtra + packedSize);
  // APPNOTE 4.3.7: a local file header, whose first flag says that the bytes are enciphered.
  if (bytes.length < 30 || bytes.readUInt32LE(0) !== 0x04034b50 || (bytes.readUInt16LE(6) & 1) === 1) throw new NotAZipError();
  const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  if (bytes.length < start + packedSize) bytes = await upTo(offset + start + packedSize);
  const packed = bytes.subarray(start, start + packedSize);
  if (packed.length !== packedSize) throw new NotAZipError();
  if (method === stored) return packed;
  if (method !== deflated) return undefined;
  return inflate(packed, { maxOutputLength: most.unpacked }).catch((error: unknown) => {
    throw Object.assign(new NotAZipError(), { cause: error });
  });
}
