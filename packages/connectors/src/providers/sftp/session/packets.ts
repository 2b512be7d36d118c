import { packet } from '../api.ts';

interface Events {
  /** Destination buffer for the DATA response to this request; undefined leaves the bytes in the payload. */
  sinkOf(id: number): Buffer | undefined;
  /** Called per packet. VERSION has no request id: its id is -1 and its payload the extensions. */
  onPacket(type: number, id: number, payload: Buffer, filled: number): void;
  /** Called when the peer does not speak SFTP; nothing is read afterwards. */
  onNonsense(reason: string): void;
}

/** Packets stay far below; a larger length is text that a login script printed into the channel. */
const longest = 4 * 1024 * 1024;
const nothing = Buffer.alloc(0);

/** Splits a channel's byte stream into packets. File bytes are copied once, directly to their destination. */
export function createPacketReader({ sinkOf, onPacket, onNonsense }: Events): { push(chunk: Buffer): void } {
  /** Length, type, id; and the data length for a destination buffer. */
  const head = Buffer.alloc(13);
  let headBytes = 0;
  let body: Buffer = nothing;
  let wanted = 0;
  let got = 0;
  let state: 'head' | 'dataHead' | 'body' | 'data' | 'broken' = 'head';
  let sink: Buffer | undefined;

  const headLength = () => (state === 'dataHead' ? 13 : 9);

  function beginBody(target: Buffer, length: number, next: 'body' | 'data'): void {
    body = target;
    wanted = length;
    got = 0;
    state = next;
    if (wanted === 0) finish();
  }

  function finish(): void {
    const type = head.readUInt8(4);
    const filled = state === 'data' ? wanted : 0;
    const payload = state === 'data' ? nothing : body;
    state = 'head';
    headBytes = 0;
    if (type === packet.version) onPacket(type, -1, payload, 0);
    else onPacket(type, head.readUInt32BE(5), payload, filled);
  }

  function giveUp(reason: string): void {
    state = 'broken';
    onNonsense(reason);
  }

  function headRead(): void {
    const length = head.readUInt32BE(0);
    const type = head.readUInt8(4);
    if (state === 'dataHead') {
      const bytes = head.readUInt32BE(9);
      if (!sink || bytes > sink.length || bytes !== length - 9) giveUp(`${bytes} bytes came where ${sink?.length ?? 0} were asked for`);
      else beginBody(sink, bytes, 'data');
      return;
    }
    if (length < 5 || length > longest) return giveUp(`a packet of ${length} bytes`);
    sink = type === packet.data ? sinkOf(head.readUInt32BE(5)) : undefined;
    if (sink) state = 'dataHead';
    else beginBody(Buffer.allocUnsafe(length - 5), length - 5, 'body');
  }

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length && state !== 'broken';) {
        if (state === 'head' || state === 'dataHead') {
          const count = Math.min(headLength() - headBytes, chunk.length - at);
          chunk.copy(head, headBytes, at, at + count);
          headBytes += count;
          at += count;
          if (headBytes === headLength()) headRead();
        } else {
          const count = Math.min(wanted - got, chunk.length - at);
          chunk.copy(body, got, at, at + count);
          got += count;
          at += count;
          if (got === wanted) finish();
        }
      }
    },
  };
}
