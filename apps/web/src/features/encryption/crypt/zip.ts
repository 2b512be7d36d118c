/**
 * Writes a zip without compression in the browser: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 and 4.5.3 (zip64). File sizes are known in advance, and so
 * is the total length; checksums follow each file.
 */
export interface ZipEntry {
  /** Separated by slashes; the path of a folder ends with one. */
  readonly path: string;
  readonly size: number;
  /** Epoch seconds. */
  readonly modified: number | undefined;
  readonly read: () => AsyncIterable<Uint8Array>;
}

const most32 = 0xffff_ffff;
const writer = new TextEncoder();
const utf8AndDescriptor = 0x0808;
const zip64Version = 45;

/** All entries use the 64-bit form: it is simpler, and every current reader supports it. */
const localExtra = 20;
const centralExtra = 28;
const descriptorLength = 24;
const endLength = 56 + 20 + 22;

export function zipLength(entries: readonly ZipEntry[]): number {
  return entries.reduce((sum, { path, size }) => {
    const name = writer.encode(path).length;
    return sum + 30 + name + localExtra + size + descriptorLength + 46 + name + centralExtra;
  }, endLength);
}

export async function* writeZip(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let offset = 0;
  const directory: Uint8Array<ArrayBuffer>[] = [];
  for (const entry of entries) {
    const at = offset;
    const name = writer.encode(entry.path);
    const head = record(30 + name.length + localExtra, (view) => {
      view.setUint32(0, 0x0403_4b50, true);
      writeCommon(view, 4, entry);
      view.setUint32(18, most32, true);
      view.setUint32(22, most32, true);
      view.setUint16(26, name.length, true);
      view.setUint16(28, localExtra, true);
      writeWide(view, 30 + name.length, [0, 0]);
    });
    head.set(name, 30);
    yield head;
    let crc = ~0;
    let size = 0;
    for await (const piece of entry.read()) {
      crc = crcOf(crc, piece);
      size += piece.length;
      yield piece as Uint8Array<ArrayBuffer>;
    }
    if (size !== entry.size) throw new Error('The file has another size than its listing said.');
    yield record(descriptorLength, (view) => {
      view.setUint32(0, 0x0807_4b50, true);
      view.setUint32(4, ~crc, true);
      view.setBigUint64(8, BigInt(size), true);
      view.setBigUint64(16, BigInt(size), true);
    });
    offset += head.length + size + descriptorLength;
    const central = record(46 + name.length + centralExtra, (view) => {
      view.setUint32(0, 0x0201_4b50, true);
      view.setUint16(4, (3 << 8) | zip64Version, true);
      writeCommon(view, 6, entry);
      view.setUint32(16, ~crc, true);
      view.setUint32(20, most32, true);
      view.setUint32(24, most32, true);
      view.setUint16(28, name.length, true);
      view.setUint16(30, centralExtra, true);
      // Unix mode of a folder or file, and DOS's attribute for a folder.
      view.setUint32(38, entry.path.endsWith('/') ? ((0o40755 << 16) | 0x10) >>> 0 : (0o100644 << 16) >>> 0, true);
      view.setUint32(42, most32, true);
      writeWide(view, 46 + name.length, [size, size, at]);
    });
    central.set(name, 46);
    directory.push(central);
  }
  yield* directory;
  const length = directory.reduce((sum, { length: part }) => sum + part, 0);
  yield record(endLength, (view) => {
    view.setUint32(0, 0x0606_4b50, true);
    view.setBigUint64(4, 44n, true);
    view.setUint16(12, (3 << 8) | zip64Version, true);
    view.setUint16(14, zip64Version, true);
    view.setBigUint64(24, BigInt(entries.length), true);
    view.setBigUint64(32, BigInt(entries.length), true);
    view.setBigUint64(40, BigInt(length), true);
    view.setBigUint64(48, BigInt(offset), true);
    view.setUint32(56, 0x0706_4b50, true);
    view.setBigUint64(64, BigInt(offset + length), true);
    view.setUint32(72, 1, true);
    view.setUint32(76, 0x0605_4b50, true);
    view.setUint16(84, 0xffff, true);
    view.setUint16(86, 0xffff, true);
    view.setUint32(88, most32, true);
    view.setUint32(92, most32, true);
  });
}

function record(length: number, fill: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  fill(new DataView(bytes.buffer));
  return bytes;
}

/** Writes version, flags, method 0 and time, which both headers have in this order. DOS times have a resolution of two seconds and begin in 1980. */
function writeCommon(view: DataView, at: number, { modified = 0 }: ZipEntry): void {
  const when = new Date(modified * 1000);
  const isInRange = when.getFullYear() >= 1980 && when.getFullYear() <= 2107;
  view.setUint16(at, zip64Version, true);
  view.setUint16(at + 2, utf8AndDescriptor, true);
  view.setUint16(at + 6, isInRange ? (when.getHours() << 11) | (when.getMinutes() << 5) | (when.getSeconds() >> 1) : 0, true);
  view.setUint16(at + 8, isInRange ? ((when.getFullYear() - 1980) << 9) | ((when.getMonth() + 1) << 5) | when.getDate() : 33, true);
}

function writeWide(view: DataView, at: number, values: readonly number[]): void {
  view.setUint16(at, 1, true);
  view.setUint16(at + 2, values.length * 8, true);
  values.forEach((value, index) => view.setBigUint64(at + 4 + index * 8, BigInt(value), true));
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  return value;
});

/** Updates a CRC-32 as zip uses it. Start with ~0, and invert the final result. */
function crcOf(crc: number, bytes: Uint8Array): number {
  let value = crc;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 255] ?? 0);
  return value;
}
