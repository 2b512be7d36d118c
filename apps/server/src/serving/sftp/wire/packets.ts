import { SftpError, longestData, longestPacket, request, status } from './codec.ts';

/** Splits a stream into packets. Throws SftpError for one that is longer than allowed. */
export async function* packetsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  let wanted = 4;
  let isHead = true;
  for await (const chunk of stream) {
    waiting.push(chunk);
    length += chunk.length;
    while (length >= wanted) {
      const all = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting, length);
      const part = all.subarray(0, wanted);
      waiting = all.length > wanted ? [all.subarray(wanted)] : [];
      length -= wanted;
      if (isHead) {
        wanted = part.readUInt32BE();
        if (wanted === 0 || wanted > longestPacket + 1024) throw new SftpError(status.badMessage, 'The packet is too long.');
      } else {
        yield part;
        wanted = 4;
      }
      isHead = !isHead;
    }
  }
}

/** Bytes that a request holds until it is answered: its own, and those that it asks for. */
export function costOf(bytes: Buffer): number {
  const isRead = bytes[0] === request.read && bytes.length >= 4;
  return bytes.length + (isRead ? Math.min(bytes.readUInt32BE(bytes.length - 4), longestData) : 0);
}
