import { type Hash, createHash, timingSafeEqual } from 'node:crypto';
import { Transform } from 'node:stream';
import { S3Error } from '../errors.ts';
import { type Claim, chunkSignature, signingKey, trailerSignature } from './signature.ts';

/** Longest line of the framing in bytes, and most trailers. */
const longestLine = 16 * 1024;
const mostTrailers = 20;

/** A stream whose chunks are signed one by one, or whose checksums follow it. */
interface ChunkOptions {
  readonly claim: Claim;
  /** Undefined where chunks are not signed. */
  readonly secret: string | undefined;
  readonly hasTrailer: boolean;
  /** Called with the headers after the bytes before the stream ends. */
  readonly onTrailers: (trailers: ReadonlyMap<string, string>) => void;
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Takes the bytes out of `aws-chunked` framing, and checks the signature of each chunk and of the trailers. A chunk's bytes pass before its signature is
 * known, so that none is held; the stream fails with S3Error before its end. https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
 */
export function chunkDecoder({ claim, secret, hasTrailer, onTrailers }: ChunkOptions): Transform {
  const key = secret === undefined ? undefined : signingKey(secret, claim.scope);
  let previous = claim.signature;
  let state: 'size' | 'data' | 'dataEnd' | 'trailers' | 'done' = 'size';
  let line = Buffer.alloc(0);
  let left = 0;
  let isLast = false;
  let signature = '';
  let hash: Hash | undefined;
  const trailers = new Map<string, string>();
  let signedText = '';
  const broken = (): S3Error => new S3Error('IncompleteBody');

  function checkChunk(): void {
    if (key === undefined) return;
    const wanted = chunkSignature(key, claim, previous, hash?.digest('hex') ?? '');
    if (!isSame(wanted, signature)) throw new S3Error('SignatureDoesNotMatch', 'The signature of a chunk does not match.');
    previous = wanted;
  }
  function readSize(text: string): void {
    const [, size, sent] = /^([0-9a-f]{1,10})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(text) ?? [];
    if (size === undefined || (key !== undefined && sent === undefined)) throw broken();
    left = Number.parseInt(size, 16);
    signature = sent ?? '';
    hash = key === undefined ? undefined : createHash('sha256');
    if (left > 0) {
      state = 'data';
      return;
    }
    isLast = true;
    checkChunk();
    state = hasTrailer ? 'trailers' : 'dataEnd';
  }
  function readTrailer(text: string): void {
    if (text === '') {
      finish();
      return;
    }
    const colon = text.indexOf(':');
    if (colon < 1 || trailers.size >= mostTrailers) throw broken();
    const [name, value] = [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
    trailers.set(name, value);
    if (name !== 'x-amz-trailer-signature') signedText += `${name}:${value}\n`;
  }
  function finish(): void {
    if (hasTrailer && key !== undefined) {
      const sent = trailers.get('x-amz-trailer-signature') ?? '';
      if (!isSame(trailerSignature(key, claim, previous, signedText), sent))
        throw new S3Error('SignatureDoesNotMatch', 'The signature of the trailing headers does not match.');
    }
    state = 'done';
    onTrailers(trailers);
  }
  function onLine(text: string): void {
    if (state === 'size') readSize(text);
    else if (state === 'trailers') readTrailer(text);
    else if (text !== '') throw broken();
    else if (isLast) finish();
    else state = 'size';
  }
  /** Reads a line's bytes; returns the position after them. */
  function takeLine(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(0x0a, at);
    const piece = chunk.subarray(at, end < 0 ? chunk.length : end);
    if (line.length + piece.length > longestLine) throw broken();
    line = Buffer.concat([line, piece]);
    if (end < 0) return chunk.length;
    const text = line.toString('latin1').replace(/\r$/, '');
    line = Buffer.alloc(0);
    onLine(text);
    return end + 1;
  }
  function takeData(chunk: Buffer, at: number, push: (piece: Buffer) => void): number {
    const piece = chunk.subarray(at, at + left);
    hash?.update(piece);
    push(piece);
    left -= piece.length;
    if (left === 0) {
      checkChunk();
      state = 'dataEnd';
    }
    return at + piece.length;
  }
  /** Some clients leave out the empty line at the very end. */
  function end(): void {
    if (state === 'done') return;
    if (!isLast || line.length > 0 || (state === 'trailers' && trailers.size === 0)) throw broken();
    finish();
  }
  const reporting = (work: () => void, done: (error?: Error) => void): void => {
    try {
      work();
    } catch (error) {
      done(error instanceof Error ? error : broken());
      return;
    }
    done();
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      reporting(() => {
        let at = 0;
        while (at < chunk.length && state !== 'done')
          at = state === 'data' ? takeData(chunk, at, (piece) => this.push(piece)) : takeLine(chunk, at);
      }, done);
    },
    flush: (done) => reporting(end, done),
  });
}
