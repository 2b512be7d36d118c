import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ConnectorError } from '../../../core/error.ts';
import { type BodyReader, createBodyReader } from '../../../kit/body/body-reader.ts';
import { type Chunks, lengthOf } from '../../../kit/body/chunks.ts';
import { markHandled } from '../../../kit/concurrency/mark-handled.ts';
import { retryWhileBusy } from '../../../kit/concurrency/retry-busy.ts';
import type { RunningHash } from '../../../kit/hash/content-hash.ts';
import type { ThreadHash } from '../../../kit/hash/hash-thread.ts';
import type { Api } from '../../../kit/rest/api.ts';
import { type Session, createSession } from './google-session.ts';

const MiB = 1024 * 1024;

/** Chunk sizes of an upload. */
export interface UploadSizes {
  /** Maximum bytes of a body sent in one request together with its metadata. */
  readonly whole: number;
  /** Bytes of a chunk of a larger body, a multiple of 256 KiB; two chunks are in memory. */
  readonly chunk: number;
}

export const googleUploadSizes: UploadSizes = { whole: 4 * MiB, chunk: 16 * MiB };

export interface Upload {
  readonly api: Api;
  readonly signal: AbortSignal;
  /** Size of the body, when known. */
  readonly size?: number;
  readonly sizes?: UploadSizes;
  /** Hashes every byte before it is sent. */
  readonly hash: RunningHash | ThreadHash;
  /** Sends a small body in one request; returns the service's response. */
  readonly whole: (bytes: Uint8Array) => Promise<string>;
  /** Starts a session for a larger body; returns its URL. */
  readonly begin: () => Promise<string>;
  /** Headers of the request that ends a session, built after all bytes were read. */
  readonly seal?: () => Readonly<Record<string, string>>;
}

interface Piece {
  readonly bytes: Chunks;
  readonly size: number;
  /** Undefined: unknown; it is the last one if nothing follows. */
  readonly isLast: boolean | undefined;
}

/**
 * Uploads by Google's protocol and returns the service's metadata: small bodies in one request, others chunk by chunk in a resumable
 * session. Nothing becomes visible before the last byte was accepted. Rejects with `sizeDiffers` for a body of another length; a failed
 * session is cancelled.
 * https://developers.google.com/drive/api/guides/manage-uploads, https://cloud.google.com/storage/docs/performing-resumable-uploads
 */
export async function uploadToGoogle(body: Readable, upload: Upload): Promise<string> {
  try {
    return await uploadHashed(body, upload);
  } catch (error) {
    if ('cancel' in upload.hash) upload.hash.cancel();
    throw error;
  }
}

async function uploadHashed(body: Readable, upload: Upload): Promise<string> {
  const { size, signal, sizes = googleUploadSizes, whole } = upload;
  const reader = createBodyReader(body, signal);
  const next = piecesOf(reader, { sizes, ...(size !== undefined && { size }) }, upload.hash);
  const first = await next();
  if (first.isLast && first.size <= sizes.whole) {
    const bytes = Buffer.concat(first.bytes);
    return retryWhileBusy(signal, () => whole(bytes));
  }
  const session = await createSession({ ...upload, begin: () => retryWhileBusy(signal, upload.begin) });
  try {
    return await sendPieces(session, first, next, reader, upload);
  } catch (error) {
    await session.giveUp(error);
    throw error;
  }
}

async function sendPieces(
  session: Session,
  first: Piece,
  next: () => Promise<Piece>,
  reader: BodyReader,
  { size, seal }: Upload,
): Promise<string> {
  let start = 0;
  let coming: Promise<Piece> = Promise.resolve(first);
  for (;;) {
    const piece = await coming;
    const end = start + piece.size;
    const isEnd = piece.isLast === true;
    if (!isEnd) {
      coming = markHandled(next());
    }
    const answer = await session.put(piece.bytes, start, size ?? (isEnd ? end : undefined), isEnd ? seal?.() : undefined);
    if (isEnd && answer === undefined) throw new ConnectorError('unexpected', 'the upload is not over after its last byte');
    if (answer !== undefined) {
      if (!isEnd) throw new ConnectorError('unexpected', 'the service took the upload for whole before it was');
      return answer;
    }
    reader.release(piece.bytes);
    start = end;
  }
}

/**
 * Yields the body in hashed chunks. With a known length the last chunk is recognised by its offset, after checking that nothing follows;
 * otherwise by its length.
 */
function piecesOf(
  reader: BodyReader,
  { size, sizes }: { readonly size?: number; readonly sizes: UploadSizes },
  hash: RunningHash | ThreadHash,
) {
  let at = 0;
  return async (): Promise<Piece> => {
    const wanted = size === undefined ? sizes.chunk : Math.min(sizes.chunk, size - at);
    const bytes = await reader.gather(wanted, (chunk) => hash.update(chunk));
    const came = lengthOf(bytes);
    at += came;
    if (size === undefined) return { bytes, size: came, isLast: came < wanted ? true : undefined };
    if (came < wanted) throw new ConnectorError('sizeDiffers', `${at} of ${size} bytes came`);
    if (at < size) return { bytes, size: came, isLast: false };
    if ((await reader.take(1)).byteLength > 0) throw new ConnectorError('sizeDiffers', `more than ${size} bytes came`);
    return { bytes, size: came, isLast: true };
  };
}

/** Builds a `multipart/related` body from metadata and bytes; returns the content type too. */
export function relatedParts(metadata: unknown, mimeType: string, bytes: Uint8Array): { readonly type: string; readonly body: Uint8Array } {
  const boundary = randomUUID();
  const head = `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--${boundary}\r\ncontent-type: ${mimeType}\r\n\r\n`;
  return {
    type: `multipart/related; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--`)]),
  };
}

/** Returns a media type that is valid in a header; anything else becomes application/octet-stream. */
export const plainType = (type: string | undefined): string =>
  type !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
