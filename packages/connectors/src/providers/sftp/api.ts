import type { Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { decodeName } from '../../kit/names/name-bytes.ts';
import { sftpNumbers } from '../../kit/sftp/numbers.ts';

export const { packet, openFlag } = sftpNumbers;
const { attrFlag } = sftpNumbers;

/** File attributes; each may be missing. */
export interface Attrs {
  readonly size?: number;
  /** The type and the permission bits, as POSIX's st_mode. */
  readonly mode?: number;
  /** Epoch seconds. */
  readonly modified?: number;
}

/** A name in a folder as the server wrote it, with the item's own attributes: for a link, not its target's. */
export interface RawEntry {
  readonly bytes: Buffer;
  readonly attrs: Attrs;
}

/** Reads the fields of one packet in order; throws `unexpected` when the packet is too short. */
export function createFieldReader(bytes: Buffer) {
  let at = 0;
  const uint32 = (): number => {
    if (at + 4 > bytes.length) throw tooShort();
    at += 4;
    return bytes.readUInt32BE(at - 4);
  };
  const uint64 = (): number => uint32() * 0x1_0000_0000 + uint32();
  const string = (): Buffer => {
    const length = uint32();
    if (at + length > bytes.length) throw tooShort();
    at += length;
    return bytes.subarray(at - length, at);
  };
  const attrs = (): Attrs => {
    const flags = uint32();
    const size = flags & attrFlag.size ? uint64() : undefined;
    if (flags & attrFlag.owner) at += 8;
    const mode = flags & attrFlag.permissions ? uint32() : undefined;
    if (flags & attrFlag.times) at += 4;
    const modified = flags & attrFlag.times ? uint32() : undefined;
    if (flags & attrFlag.extended) for (let left = uint32(); left > 0; left--) void [string(), string()];
    return { ...(size !== undefined && { size }), ...(mode !== undefined && { mode }), ...(modified !== undefined && { modified }) };
  };
  return { uint32, uint64, string, attrs, more: () => at < bytes.length };
}

const tooShort = () => new ConnectorError('unexpected', 'a field reaches past its packet');

export type Field = number | Buffer | { readonly uint64: number } | { readonly attrs: Attrs };

/** Encodes a request packet: a number becomes a uint32, a buffer a length-prefixed string. */
export function encodeRequest(type: number, id: number, fields: readonly Field[]): Buffer {
  let length = 9;
  for (const field of fields) length += sizeOf(field);
  const whole = Buffer.allocUnsafe(length);
  whole.writeUInt32BE(length - 4, 0);
  whole.writeUInt8(type, 4);
  let at = whole.writeUInt32BE(id, 5);
  for (const field of fields) at = writeField(whole, at, field);
  return whole;
}

function sizeOf(field: Field): number {
  if (typeof field === 'number') return 4;
  if (Buffer.isBuffer(field)) return 4 + field.length;
  if ('uint64' in field) return 8;
  return 4 + (field.attrs.mode === undefined ? 0 : 4) + (field.attrs.modified === undefined ? 0 : 8);
}

/** Writes a field; returns the position after it. */
function writeField(whole: Buffer, at: number, field: Field): number {
  if (typeof field === 'number') return whole.writeUInt32BE(field >>> 0, at);
  if (Buffer.isBuffer(field)) return whole.writeUInt32BE(field.length, at) + field.copy(whole, at + 4);
  if ('uint64' in field) {
    const { uint64 } = field;
    return whole.writeUInt32BE(uint64 % 0x1_0000_0000, whole.writeUInt32BE(Math.floor(uint64 / 0x1_0000_0000), at));
  }
  const { mode, modified } = field.attrs;
  const flags = (mode === undefined ? 0 : attrFlag.permissions) | (modified === undefined ? 0 : attrFlag.times);
  let next = whole.writeUInt32BE(flags, at);
  if (mode !== undefined) next = whole.writeUInt32BE(mode >>> 0, next);
  if (modified === undefined) return next;
  // The access time is sent together with the modification time and cannot be omitted.
  next = whole.writeUInt32BE(modified >>> 0, next);
  return whole.writeUInt32BE(modified >>> 0, next);
}

const typeMask = 0o170000;
const kinds = new Map<number, 'file' | 'folder' | 'link'>([
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);

/** Returns the kind of an item; undefined for devices, pipes and sockets, and when the server sends no mode. */
export const kindOf = ({ mode }: Attrs): 'file' | 'folder' | 'link' | undefined =>
  mode === undefined ? undefined : kinds.get(mode & typeMask);

/** Returns the entry of an item; a broken link is shown as a file. */
export function toEntry(name: string, attrs: Attrs): Entry {
  const kind = kindOf(attrs) === 'folder' ? 'folder' : 'file';
  return {
    name,
    kind,
    ...(kind === 'file' && attrs.size !== undefined && { size: attrs.size }),
    ...(attrs.modified !== undefined && { modified: attrs.modified }),
  };
}

export const nameOfEntry = ({ bytes }: RawEntry): string => decodeName(bytes);
