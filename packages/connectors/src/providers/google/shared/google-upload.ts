import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ConnectorError } from '../../../core/error.ts';
import { type BodyReader, createBodyReader } from '../../../kit/body/body-reader.ts';
import { type Chunks, lengthOf } from '../../../kit/body/chunks.ts';
import { patiently } from '../../../kit/concurrency/patience.ts';
import { waitedLater } from '../../../kit/concurrency/waited-later.ts';
import type { RunningHash } from '../../../kit/hash/content-hash.ts';
import type { ThreadHash } from '../../../kit/hash/hash-thread.ts';
import type { Api } from '../../../kit/rest/api.ts';
import { type Session, createSession } from './google-session.ts';

const MiB = 1024 * 1024;

/** How bodies are cut. */
export interface UploadSizes {
  /** The largest body, in bytes, that is sent in one request together with what is said of it. */
  readonly whole: number;
  /** Bytes of a piece of a larger one, of which two are in memory: a multiple of 256 KiB. */
  readonly chunk: number;
}

export const googleUploadSizes: UploadSizes = { whole: 4 * MiB, chunk: 16 * MiB };

export interface Upload {
  readonly api: Api;
  readonly signal: AbortSignal;
  /** Bytes that will come, when known. */
  readonly size?: number;
  readonly sizes?: UploadSizes;
  /** Sees every byte before it is sent. */
  readonly hash: RunningHash | ThreadHash;
  /** Sends a small body at once, and gives what the service answers. */
  readonly whole: (bytes: Uint8Array) => Promise<string>;
  /** Begins a session for a larger one, and gives its address. */
  readonly begin: () => Promise<string>;
  /** Headers of the request that ends a session, made when everything was seen. */
  readonly seal?: () => Readonly<Record<string, string>>;
}

interface Piece {
  readonly bytes: Chunks;
  readonly size: number;
  /** Undefined: it may be, if nothing follows. */
  readonly isLast: boolean | undefined;
}

/**
 * Uploads by Google's protocol, and gives what the service says of the result: small bodies in one request, others piece by piece through a session that goes on
 * where it was cut. Nothing appears before the last byte was taken. Rejects with `sizeDiffers` for a body of another length; a session that fails is given up.
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
    return patiently(signal, () => whole(bytes));
  }
  const session = await createSession({ ...upload, begin: () => patiently(signal, upload.begin) });
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
      coming = waitedLater(next());
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

/** Gives the body piece by piece, hashed. Of a body of known length the last is told by its place, after having looked that nothing follows; else by its length. */
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

/** A body of `multipart/related`: what is said of a file, and its bytes. Gives the content type too. */
export function relatedParts(metadata: unknown, mimeType: string, bytes: Uint8Array): { readonly type: string; readonly body: Uint8Array } {
  const boundary = randomUUID();
  const head = `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--${boundary}\r\ncontent-type: ${mimeType}\r\n\r\n`;
  return {
    type: `multipart/related; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--`)]),
  };
}

/** A media type fit for a header; what is none becomes one of plain bytes. */
export const plainType = (type: string | undefined): string =>
  type !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
