import { ConnectorError } from '../../core/error.ts';
import { type Framing, headLimit } from './http-head.ts';

/** Result of decoding: `data` is a view of the same memory; `used` bytes of the input were consumed. */
interface Decoded {
  readonly data: Buffer;
  readonly used: number;
  /** Whether the body is complete. */
  readonly done: boolean;
}

/**
 * Removes the framing of a body; throws ConnectorError `unexpected` when the framing is invalid. May move bytes within the given memory.
 */
export interface Decoder {
  push(bytes: Buffer): Decoded;
}

/** Creates the decoder for one body. */
export function createDecoder(framing: Framing): Decoder {
  switch (framing.kind) {
    case 'length':
      return lengthDecoder(framing.length);
    case 'chunked':
      return chunkedDecoder();
    case 'close':
      return { push: (bytes) => ({ data: bytes, used: bytes.length, done: false }) };
  }
}

function lengthDecoder(length: number): Decoder {
  let left = length;
  return {
    push(bytes) {
      const used = Math.min(left, bytes.length);
      left -= used;
      return { data: bytes.subarray(0, used), used, done: left === 0 };
    },
  };
}

const chunkLine = /^([0-9a-fA-F]{1,13})[ \t]*(?:;.*)?$/;
const lineLimit = 4096;

/**
 * Decodes chunked bodies: RFC 9112, section 7.1. Servers send chunks of a few KiB; joins those of one read in place, so that each read
 * yields one piece of data.
 */
function chunkedDecoder(): Decoder {
  let state: 'size' | 'data' | 'gap' | 'trailer' = 'size';
  let left = 0;
  let line = '';
  let trailers = 0;

  /** Parses one line of framing; returns true for the last one. */
  function follow(text: string): boolean {
    if (state === 'gap') {
      if (text !== '') throw new ConnectorError('unexpected', 'a chunk is longer than it says');
      state = 'size';
    } else if (state === 'size') {
      const size = chunkLine.exec(text)?.[1];
      if (size === undefined) throw new ConnectorError('unexpected', 'a chunk has no size');
      left = Number.parseInt(size, 16);
      state = left === 0 ? 'trailer' : 'data';
    } else {
      if (text === '') return true;
      trailers += text.length;
      if (trailers > headLimit) throw new ConnectorError('unexpected', 'the trailers are too long');
    }
    return false;
  }

  return {
    push(bytes) {
      let used = 0;
      let from = 0;
      let to = 0;
      while (used < bytes.length) {
        if (state === 'data') {
          const run = Math.min(left, bytes.length - used);
          if (to === from) from = to = used;
          else bytes.copyWithin(to, used, used + run);
          to += run;
          used += run;
          left -= run;
          if (left === 0) state = 'gap';
          continue;
        }
        const feed = bytes.indexOf(10, used);
        const end = feed === -1 ? bytes.length : feed + 1;
        if (line.length + end - used > lineLimit) throw new ConnectorError('unexpected', 'a line between chunks is too long');
        line += bytes.toString('latin1', used, end);
        used = end;
        if (feed === -1) break;
        if (!line.endsWith('\r\n')) throw new ConnectorError('unexpected', 'a line between chunks has no proper end');
        const text = line.slice(0, -2);
        line = '';
        if (follow(text)) return { data: bytes.subarray(from, to), used, done: true };
      }
      return { data: bytes.subarray(from, to), used, done: false };
    },
  };
}
