import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, Transform, pipeline } from 'node:stream';
import { type HashName, type Hashes, createHashSet, lendChunks } from '@sheaf/connectors';
import { S3Error } from '../errors.ts';
import { chunkDecoder } from './chunks.ts';
import { type Claim, unsignedPayload } from './signature.ts';

/** A body of a request, verified when it ends: a reader gets the last bytes only after all checksums were right. */
export interface Payload {
  readonly body: Readable;
  /** Announced bytes. */
  readonly size: number;
  /** MD5 of all bytes, in hexadecimal; known once the body has been read. */
  md5(): string;
  /** Why the body was refused; a reader sees only a broken stream. */
  failure(): S3Error | undefined;
  /** The checksums that were sent, for the answer. */
  checksums(): Readonly<Record<string, string>>;
}

const checksumNames = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const satisfies readonly HashName[];
const headerOf = (name: string): string => `x-amz-checksum-${name}`;
const isChecksum = (name: string): name is (typeof checksumNames)[number] => (checksumNames as readonly string[]).includes(name);

const streamed = {
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { isSigned: true, hasTrailer: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { isSigned: true, hasTrailer: true },
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { isSigned: false, hasTrailer: true },
} as const;
type Streamed = keyof typeof streamed;

const text = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** Size of the object in a request. Throws MissingContentLength, and NotImplemented for an unknown way to sign. */
export function sizeOf(headers: IncomingHttpHeaders, { payload }: Claim): number {
  const isFramed = payload.startsWith('STREAMING-');
  if (isFramed && !Object.hasOwn(streamed, payload)) throw new S3Error('NotImplemented', `${payload} is not supported.`);
  const told = isFramed ? text(headers['x-amz-decoded-content-length']) : headers['content-length'];
  if (told === undefined || !/^\d{1,15}$/.test(told)) throw new S3Error('MissingContentLength');
  return Number(told);
}

/** A checksum in base64, in hexadecimal. Throws InvalidDigest. */
function hexOf(base64: string, bytes: number): string {
  const read = Buffer.from(base64, 'base64');
  if (read.length !== bytes || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new S3Error('InvalidDigest');
  return read.toString('hex');
}
const bytesOfHash: Readonly<Record<(typeof checksumNames)[number], number>> = { crc32: 4, crc32c: 4, crc64nvme: 8, sha1: 20, sha256: 32 };

interface Options {
  readonly headers: IncomingHttpHeaders;
  readonly claim: Claim;
  readonly secret: string;
  /** Begins to read. */
  readonly open: () => Readable;
}

/** The body of a request without its framing. Throws InvalidDigest, MissingContentLength, NotImplemented. */
export function payloadOf({ headers, claim, secret, open }: Options): Payload {
  const size = sizeOf(headers, claim);
  const framing = claim.payload.startsWith('STREAMING-') ? streamed[claim.payload as Streamed] : undefined;
  const expected: Partial<Record<HashName, string>> = {};
  const told: Record<string, string> = {};
  const md5Sent = text(headers['content-md5']);
  if (md5Sent !== undefined) expected.md5 = hexOf(md5Sent, 16);
  for (const name of checksumNames) {
    const sent = text(headers[headerOf(name)]);
    if (sent === undefined) continue;
    expected[name] = hexOf(sent, bytesOfHash[name]);
    told[headerOf(name)] = sent;
  }
  const isHashed = !framing && claim.payload !== unsignedPayload;
  if (isHashed && !/^[0-9a-f]{64}$/.test(claim.payload)) throw new S3Error('InvalidDigest');
  const announced = (text(headers['x-amz-trailer']) ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const trailing = checksumNames.filter((name) => announced.includes(headerOf(name)));
  const names: HashName[] = ['md5', ...checksumNames.filter((name) => expected[name] !== undefined || trailing.includes(name))];
  if (isHashed) names.push('sha256');

  let failure: S3Error | undefined;
  let computed: Hashes = {};
  const refused = (error: unknown): Error => {
    if (error instanceof S3Error) failure ??= error;
    return error instanceof Error ? error : new Error('the body broke off', { cause: error });
  };

  function onTrailers(trailers: ReadonlyMap<string, string>): void {
    for (const [header, value] of trailers) {
      const name = header.slice(headerOf('').length);
      if (!header.startsWith(headerOf('')) || !isChecksum(name)) continue;
      if (!trailing.includes(name)) throw new S3Error('InvalidArgument', 'A trailing checksum was not announced.');
      expected[name] = hexOf(value, bytesOfHash[name]);
      told[header] = value;
    }
    if (trailing.some((name) => expected[name] === undefined)) throw new S3Error('IncompleteBody', 'An announced checksum is missing.');
  }

  function verify(): void {
    if (isHashed && computed.sha256 !== claim.payload) throw new S3Error('XAmzContentSHA256Mismatch');
    for (const [name, value] of Object.entries(expected) as [HashName, string][])
      if (computed[name] !== value) throw new S3Error('BadDigest');
  }

  const hashes = createHashSet(names, size);
  let came = 0;
  let held: Buffer | undefined;
  type Push = (bytes: Buffer) => void;
  /** Passes on the chunk before this one. Resolves with the error instead of rejecting, as a stream takes it by a callback. */
  async function take(chunk: Buffer, push: Push): Promise<Error | null> {
    try {
      came += chunk.length;
      if (came > size) throw new S3Error('IncompleteBody');
      await hashes.update(chunk);
      if (held) push(held);
      held = chunk;
      return null;
    } catch (error) {
      return refused(error);
    }
  }
  async function end(push: Push): Promise<Error | null> {
    try {
      if (came !== size) throw new S3Error('IncompleteBody');
      computed = await hashes.digest();
      verify();
      if (held) push(held);
      return null;
    } catch (error) {
      return refused(error);
    }
  }
  const decoder =
    framing && chunkDecoder({ claim, secret: framing.isSigned ? secret : undefined, hasTrailer: framing.hasTrailer, onTrailers });
  let isBegun = false;
  /** Not before somebody reads: a body that has failed by then would leave its reader waiting. */
  function begin(): void {
    if (isBegun) return;
    isBegun = true;
    const ended = (error: NodeJS.ErrnoException | null | undefined): void => {
      if (error) refused(error);
    };
    if (decoder) pipeline(open(), decoder, verifier, ended);
    else pipeline(open(), verifier, ended);
  }
  const verifier = new Transform({
    read(bytes) {
      begin();
      Transform.prototype._read.call(this, bytes);
    },
    transform(chunk: Buffer, _encoding, settle) {
      void take(chunk, (bytes) => this.push(bytes)).then(settle);
    },
    flush(settle) {
      void end((bytes) => this.push(bytes)).then(settle);
    },
    destroy(error, done) {
      hashes.cancel();
      done(error);
    },
  });
  // The reader handles failures; without a reader they must not end the process.
  verifier.on('error', () => undefined);

  return {
    // The pieces of framed chunks share one buffer, and cannot be lent.
    body: decoder ? verifier : lendChunks(verifier),
    size,
    md5: () => computed.md5 ?? '',
    failure: () => failure,
    checksums: () => told,
  };
}
