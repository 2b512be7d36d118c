import { ConnectorError } from '../../core/error.ts';

/** A body under construction. */
export interface WholeBody {
  /** Copies the chunk, whose memory is only lent; throws beyond the limit. */
  add(piece: Uint8Array): void;
  bytes(): Buffer<ArrayBuffer>;
}

const longer = (limit: number): Error => new ConnectorError('unexpected', `the answer is longer than ${limit} bytes`);

/**
 * Collects bodies that are read completely. Their sender may never stop, so every use needs a limit in bytes; do not collect bodies in
 * another way.
 */
export function createWholeBody(limit: number, tooLong: (limit: number) => Error = longer): WholeBody {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    add(piece) {
      length += piece.byteLength;
      if (length > limit) throw tooLong(limit);
      pieces.push(Buffer.from(piece));
    },
    bytes: () => Buffer.concat(pieces, length),
  };
}

/** Returns all bytes of a stream; rejects beyond `limit`. */
export async function readWhole(pieces: AsyncIterable<Uint8Array>, limit: number, tooLong?: (limit: number) => Error): Promise<Buffer> {
  const whole = createWholeBody(limit, tooLong);
  for await (const piece of pieces) whole.add(piece);
  return whole.bytes();
}

/** Yields the lines of a text as they arrive, without line ends; rejects when a line is longer than `longest` bytes. */
export async function* readLines(pieces: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, from)) {
      yield bytes.toString('utf8', from, bytes[end - 1] === 0x0d ? end - 1 : end);
      from = end + 1;
    }
    // Copied, because a chunk is only lent.
    rest = Buffer.from(bytes.subarray(from));
    if (rest.length > longest) throw new ConnectorError('unexpected', `a line is longer than ${longest} bytes`);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}
