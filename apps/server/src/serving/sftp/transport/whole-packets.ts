/** Most bytes after a packet's length that the SSH library accepts; a longer one is left to it, which refuses it. */
const longest = 35_000;
const lengthSize = 4;
/** Bytes of the tag that follows a packet with AES-GCM: RFC 5647, section 5.1. */
const tagSize = 16;
/** SSH_MSG_NEWKEYS: RFC 4253, section 7.3. */
const newKeys = 21;

/**
 * Passes on what a client sends, from its version line on, in pieces that end where a packet ends; for clients that use AES-GCM, whose packets show their
 * length. A packet that comes in two chunks is put together here, in memory that serves the next one too: ssh2 would decrypt each part into memory of its
 * own and copy it into more, all of which waits for the garbage collector. Bytes that are no packets are passed on as they come.
 */
export function createWholePackets(pass: (piece: Buffer) => void): { push(chunk: Buffer): void } {
  let state: 'line' | 'plain' | 'sealed' | 'unknown' = 'line';
  /** The first bytes of a packet whose end has not come. Of its own for each plain packet, which ssh2 goes on to read. */
  let begun = Buffer.alloc(0);
  let filled = 0;
  let isReusable = false;

  /** Size of the packet that begins there; undefined while its length has not come. */
  function sizeAt(bytes: Buffer, at: number, end: number): number | undefined {
    if (end - at < lengthSize) return undefined;
    const length = bytes.readUInt32BE(at);
    if (length > longest) state = 'unknown';
    return lengthSize + length + (state === 'sealed' ? tagSize : 0);
  }
  function note(bytes: Buffer, at: number): void {
    // Length, length of the padding, type.
    if (state === 'plain' && bytes[at + lengthSize + 1] === newKeys) state = 'sealed';
  }
  function hold(rest: Buffer): void {
    if (!isReusable) begun = Buffer.allocUnsafeSlow(lengthSize + longest + tagSize);
    isReusable = state === 'sealed';
    filled = rest.copy(begun);
  }
  /** Takes what ends the packet that has begun; returns where that is. */
  function finish(chunk: Buffer): number {
    for (let at = 0; ;) {
      const size = sizeAt(begun, 0, filled);
      if (state === 'unknown' || filled === size) {
        note(begun, 0);
        const whole = begun.subarray(0, filled);
        filled = 0;
        pass(whole);
        return at;
      }
      if (at === chunk.length) return at;
      const count = chunk.copy(begun, filled, at, at + (size ?? lengthSize) - filled);
      filled += count;
      at += count;
    }
  }

  return {
    push(chunk) {
      const start = filled > 0 ? finish(chunk) : 0;
      let end = start;
      if (state === 'line') {
        end = chunk.indexOf(0x0a) + 1;
        state = end > 0 ? 'plain' : 'unknown';
      }
      while (state !== 'unknown') {
        const size = sizeAt(chunk, end, chunk.length);
        if (size === undefined || end + size > chunk.length) break;
        note(chunk, end);
        end += size;
      }
      if (state === 'unknown') end = chunk.length;
      if (end > start) pass(chunk.subarray(start, end));
      if (end < chunk.length) hold(chunk.subarray(end));
    },
  };
}
