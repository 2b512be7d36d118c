import { SftpError, longestData, longestPacket, request, status } from './codec.ts';

/** A packet without its length. */
export interface Packet {
  readonly bytes: Buffer;
  /** Bytes to be written, which follow `bytes` in memory of their own: they go on to a storage without being copied again. Undefined in small packets. */
  readonly data: Buffer | undefined;
}

/** First bytes of a packet that are collected before its kind is known: the fields before the data of a WRITE with a handle of at most `longestHandle`. */
const headSize = 64;
const longestHandle = 32;
/** Smaller data stays with its packet. */
const worthwhile = 16 * 1024;

/** Size of the fields before the data of a WRITE, its kind included; undefined for other packets. */
function fieldsBefore(head: Buffer): number | undefined {
  const handle = head.readUInt32BE(5);
  return head[0] === request.write && handle <= longestHandle ? 1 + 4 + 4 + handle + 8 + 4 : undefined;
}

/** Splits a stream into packets, whose bytes are copied: a chunk may be reused after `push`, which throws SftpError for a packet that is longer than allowed. */
export function createPacketReader(onPacket: (packet: Packet) => void): { push(chunk: Buffer): void } {
  const lengthField = Buffer.alloc(4);
  const none = Buffer.alloc(0);
  let state: 'length' | 'head' | 'rest' = 'length';
  /** What is being filled, and how far. */
  let target: Buffer = lengthField;
  let filled = 0;
  let bytes = none;
  let data: Buffer | undefined;
  let length = 0;

  function fill(next: Buffer, state_: typeof state, from = 0): void {
    [target, state, filled] = [next, state_, from];
  }
  function done(): void {
    const packet = { bytes, data };
    [bytes, data] = [none, undefined];
    fill(lengthField, 'length');
    onPacket(packet);
  }
  function begin(): void {
    length = lengthField.readUInt32BE();
    if (length === 0 || length > longestPacket + 1024) throw new SftpError(status.badMessage, 'The packet is too long.');
    bytes = Buffer.allocUnsafe(length < headSize + worthwhile ? length : headSize);
    fill(bytes, bytes.length === length ? 'rest' : 'head');
  }
  function headRead(): void {
    const fields = fieldsBefore(bytes);
    const whole = fields === undefined ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length - fields);
    const copied = bytes.copy(whole, 0, fields ?? 0);
    [bytes, data] = fields === undefined ? [whole, undefined] : [bytes.subarray(0, fields), whole];
    fill(whole, 'rest', copied);
  }

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length;) {
        const count = chunk.copy(target, filled, at, at + target.length - filled);
        at += count;
        filled += count;
        if (filled < target.length) return;
        if (state === 'length') begin();
        else if (state === 'head') headRead();
        else done();
      }
    },
  };
}

/** Bytes that a request holds until it is answered: its own, and those that it asks for. */
export function costOf({ bytes, data }: Packet): number {
  return bytes.length + (data?.length ?? 0) + (bytes[0] === request.read ? Math.min(wantedBy(bytes), longestData) : 0);
}

/** Bytes that a READ asks for; none for one that is cut, which is refused. */
function wantedBy(bytes: Buffer): number {
  // Its kind and id, then the handle, the offset and the length; anything may follow.
  const [handleAt, offsetLength] = [5, 8];
  if (bytes.length < handleAt + 4) return 0;
  const at = handleAt + 4 + bytes.readUInt32BE(handleAt) + offsetLength;
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
}
