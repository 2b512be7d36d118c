/**
 * Records of a zip file without compression: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3 (records), 4.4 (fields) and 4.5.3 (zip64); also times in UTC,
 * as Info-ZIP's extra field 0x5455.
 */

/** Data of a record about an item. */
export interface ZipItem {
  /** UTF-8, separated by slashes; a folder ends with one. */
  readonly name: Buffer;
  readonly isFolder: boolean;
  /** Epoch seconds. */
  readonly modified: number | undefined;
  /** Size in bytes, if known before sending. */
  readonly size: number | undefined;
  /** Size and checksum follow the bytes, in a data descriptor. */
  readonly isDescribedAfter: boolean;
}

/** A written item. */
export interface Written extends ZipItem {
  readonly size: number;
  readonly crc: number;
  /** Offset of its local header. */
  readonly offset: number;
  /** Whether its local header uses 64-bit sizes. */
  readonly isBig: boolean;
}

const most32 = 0xffff_ffff;
const most16 = 0xffff;
const flags = { describedAfter: 0x0008, utf8: 0x0800 } as const;
/** Version 4.5 supports zip64; 2.0 folders. */
const versions = { plain: 20, zip64: 45 } as const;
const madeOnUnix = 3 << 8;

/** Whether to use 64-bit sizes: when required, and when the size is unknown. */
export const isBig = ({ size }: Pick<ZipItem, 'size'>): boolean => size === undefined || size >= most32;

export const localHeaderLength = (item: ZipItem): number => 30 + item.name.length + timesLength(item) + (isBig(item) ? 20 : 0);
export const descriptorLength = (item: ZipItem): number => (item.isDescribedAfter ? (isBig(item) ? 24 : 16) : 0);

/** Local header of an item; `crc` is ignored for an item with a data descriptor. */
export function localHeader(item: ZipItem, crc = 0): Buffer {
  const big = isBig(item);
  const size = item.isDescribedAfter ? 0 : (item.size ?? 0);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x0403_4b50, 0);
  head.writeUInt16LE(big ? versions.zip64 : versions.plain, 4);
  writeCommon(head, 6, item);
  head.writeUInt32LE(item.isDescribedAfter ? 0 : crc, 14);
  head.writeUInt32LE(big ? most32 : size, 18);
  head.writeUInt32LE(big ? most32 : size, 22);
  head.writeUInt16LE(item.name.length, 26);
  head.writeUInt16LE(timesLength(item) + (big ? 20 : 0), 28);
  return Buffer.concat([head, item.name, timesField(item), ...(big ? [zip64Field([size, size])] : [])]);
}

/** Data descriptor after the bytes of an item. */
export function descriptor(size: number, crc: number, big: boolean): Buffer {
  const record = Buffer.alloc(big ? 24 : 16);
  record.writeUInt32LE(0x0807_4b50, 0);
  record.writeUInt32LE(crc, 4);
  if (big) {
    record.writeBigUInt64LE(BigInt(size), 8);
    record.writeBigUInt64LE(BigInt(size), 16);
  } else {
    record.writeUInt32LE(size, 8);
    record.writeUInt32LE(size, 12);
  }
  return record;
}

/** 64-bit values in the extra field of an item's central header, in order. */
const wideValues = ({ size, offset }: Pick<Written, 'size' | 'offset'>): number[] => [
  ...(size >= most32 ? [size, size] : []),
  ...(offset >= most32 ? [offset] : []),
];
const wideLength = (item: Pick<Written, 'size' | 'offset'>): number => {
  const values = wideValues(item).length;
  return values === 0 ? 0 : 4 + 8 * values;
};
export const centralHeaderLength = (item: ZipItem & Pick<Written, 'size' | 'offset'>): number =>
  46 + item.name.length + timesLength(item) + wideLength(item);

/** An item's record in the central directory. */
export function centralHeader(item: Written): Buffer {
  const wide = wideValues(item);
  const size = Math.min(item.size, most32);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x0201_4b50, 0);
  record.writeUInt16LE(madeOnUnix | versions.zip64, 4);
  record.writeUInt16LE(item.isBig || wide.length > 0 ? versions.zip64 : versions.plain, 6);
  writeCommon(record, 8, item);
  record.writeUInt32LE(item.crc, 16);
  record.writeUInt32LE(size, 20);
  record.writeUInt32LE(size, 24);
  record.writeUInt16LE(item.name.length, 28);
  record.writeUInt16LE(timesLength(item) + wideLength(item), 30);
  // Unix mode of a folder or file, and DOS's attribute for a folder.
  record.writeUInt32LE(item.isFolder ? ((0o40755 << 16) | 0x10) >>> 0 : (0o100644 << 16) >>> 0, 38);
  record.writeUInt32LE(Math.min(item.offset, most32), 42);
  return Buffer.concat([record, item.name, timesField(item), ...(wide.length > 0 ? [zip64Field(wide)] : [])]);
}

interface Directory {
  readonly count: number;
  readonly offset: number;
  readonly length: number;
}
const isWide = ({ count, offset, length }: Directory): boolean => count >= most16 || offset >= most32 || length >= most32;
export const endLength = (directory: Directory): number => (isWide(directory) ? 56 + 20 + 22 : 22);

/** End of the file. */
export function endRecords(directory: Directory): Buffer {
  const { count, offset, length } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(count, most16), 8);
  end.writeUInt16LE(Math.min(count, most16), 10);
  end.writeUInt32LE(Math.min(length, most32), 12);
  end.writeUInt32LE(Math.min(offset, most32), 16);
  if (!isWide(directory)) return end;
  const wide = Buffer.alloc(56 + 20);
  wide.writeUInt32LE(0x0606_4b50, 0);
  // Length of this record without its first twelve bytes.
  wide.writeBigUInt64LE(44n, 4);
  wide.writeUInt16LE(madeOnUnix | versions.zip64, 12);
  wide.writeUInt16LE(versions.zip64, 14);
  wide.writeBigUInt64LE(BigInt(count), 24);
  wide.writeBigUInt64LE(BigInt(count), 32);
  wide.writeBigUInt64LE(BigInt(length), 40);
  wide.writeBigUInt64LE(BigInt(offset), 48);
  wide.writeUInt32LE(0x0706_4b50, 56);
  wide.writeBigUInt64LE(BigInt(offset + length), 64);
  wide.writeUInt32LE(1, 72);
  return Buffer.concat([wide, end]);
}

/** Flags, method 0 and the time, in the same order in both headers. */
function writeCommon(record: Buffer, at: number, { isDescribedAfter, modified }: ZipItem): void {
  const [time, date] = dosTime(modified);
  record.writeUInt16LE(flags.utf8 | (isDescribedAfter ? flags.describedAfter : 0), at);
  record.writeUInt16LE(time, at + 4);
  record.writeUInt16LE(date, at + 6);
}

/** DOS times have steps of two seconds; times outside of 1980 to 2107 become the first day. */
function dosTime(modified: number | undefined): [time: number, date: number] {
  const when = new Date((modified ?? 0) * 1000);
  const year = when.getUTCFullYear();
  if (!(year >= 1980 && year <= 2107)) return [0, (1 << 5) | 1];
  return [
    (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1),
    ((year - 1980) << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate(),
  ];
}

const timesLength = (item: ZipItem): number => (item.modified !== undefined && Math.abs(item.modified) <= 0x7fff_ffff ? 9 : 0);

function timesField(item: ZipItem): Buffer {
  if (timesLength(item) === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x5455, 0);
  field.writeUInt16LE(5, 2);
  field.writeUInt8(1, 4);
  field.writeInt32LE(Math.trunc(item.modified ?? 0), 5);
  return field;
}

function zip64Field(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return field;
}
