import { type Vault, blockSize, clearSize, damaged, fromBase64, headerSize, isDamage, sealedSize, withoutHeader } from '@sheaf/vault';
import { passingRefusals } from '#/lib/http/passing.ts';
import { gathered } from './gathered.ts';
import { streamPieces } from './stream-pieces.ts';

/** A range of an encrypted file, as requested by a page. */
export interface Range {
  /** Address of the encrypted bytes. */
  readonly address: string;
  /** Size of the encrypted file, in bytes. */
  readonly size: number;
  readonly start: number;
  readonly end: number;
  /** Nonce (base64) of the content that was judged; a file with another nonce has other content. */
  readonly nonce?: string;
}

/**
 * The reader requests each piece, so a slow reader does not fill the memory. It returns the buffer of the last one, which is transferred back and forth:
 * Chromium keeps what a message carried until it collects garbage, and does not count copies, so that collection comes too late.
 */
export type PieceRequest = { readonly room: ArrayBuffer | undefined } | 'cancel';
export type PieceAnswer = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly end: true } | { readonly failure: string };

/** The server refused the bytes, or could not be reached. */
export class Unreadable extends Error {
  readonly refusal: string;
  /** `refusal`: the code of the server's answer, or empty. */
  constructor(refusal = '') {
    super('The bytes could not be fetched.');
    this.refusal = refusal;
  }
}

export async function unreadable(response: Response): Promise<Unreadable> {
  const body: unknown = await response.json().catch(() => undefined);
  const code = typeof body === 'object' && body !== null && 'messageCode' in body ? body.messageCode : undefined;
  return new Unreadable(typeof code === 'string' ? code : '');
}

/** Maximum bytes of one request: Chromium cancels a download when a body that feeds it exceeds 2 GiB. */
const mostAtOnce = 2 ** 30;

/** Failures in a row, without a byte between them, after which reading ends; and milliseconds until it is tried again, which double each time. */
const [mostFailures, firstWait] = [4, 250];

/** Streams encrypted bytes. A piece is valid only until the next one is requested. */
export async function* fetched(address: string, start: number, length: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let taken = 0; taken < length; taken += mostAtOnce)
    yield* fetchedPart(address, start + taken, Math.min(length - taken, mostAtOnce), signal);
}

/**
 * Streams the bytes of one part. After a broken connection, or while the storage is busy, it goes on where it stopped; if the file was replaced
 * meanwhile, its blocks do not decrypt.
 */
async function* fetchedPart(address: string, start: number, length: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let failures = 0;
  for (let taken = 0; taken < length;) {
    try {
      for await (const piece of fetchedAtOnce(address, start + taken, length - taken, signal)) {
        taken += piece.length;
        failures = 0;
        yield piece;
      }
      // A file that is too short is told when its blocks are read.
      return;
    } catch (error) {
      if (!mayPass(error) || failures === mostFailures) throw error;
      await new Promise((resolve) => setTimeout(resolve, firstWait * 2 ** failures++));
      signal.throwIfAborted();
    }
  }
}

/** Whether the same request may succeed later. */
const mayPass = (error: unknown): boolean => error instanceof TypeError || (error instanceof Unreadable && passing.includes(error.refusal));
const passing: readonly string[] = passingRefusals;

async function* fetchedAtOnce(address: string, start: number, length: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const wish = { headers: { range: `bytes=${start}-${start + length - 1}` }, signal };
  let response = await fetch(address, wish);
  // Browsers add If-Range to what they keep of a file, and are answered with all of it once its ETag has changed, as Apache's do a second after a change.
  if (response.status === 200) {
    await response.body?.cancel();
    response = await fetch(address, { ...wish, cache: 'no-store' });
  }
  if (response.status !== 206 || response.body === null) throw await unreadable(response);
  yield* streamPieces(response.body);
}

/** Reads the nonce from the first bytes of a file. Throws VaultDamage if the file is not of a vault. */
export async function fetchNonce(vault: Vault, address: string, signal: AbortSignal): Promise<Uint8Array> {
  const header: number[] = [];
  for await (const piece of fetched(address, 0, headerSize, signal)) header.push(...piece);
  return vault.nonceOf(Uint8Array.from(header));
}

/** Cache of nonces of recently read files: a player requests many ranges of one file. */
const nonces = new Map<string, Uint8Array>();
const mostNonces = 100;

function remember(address: string, nonce: Uint8Array): void {
  if (nonces.size >= mostNonces) nonces.clear();
  nonces.set(address, nonce);
}

/**
 * Streams the clear bytes of a range. If the file was replaced since its nonce was cached, no block decrypts with that nonce, and the header is fetched
 * again. So bytes of two contents never mix, without knowing a version of the file. A piece is valid only until the next one is requested.
 */
export async function* clearBytes(
  vault: Vault,
  { address, size, start, end, nonce }: Range,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const known = nonce === undefined ? nonces.get(address) : fromBase64(nonce);
  const read = (from: Uint8Array) =>
    vault.files.read((at, length) => fetched(address, at, length, signal), { size, nonce: from, start, end, isReused: true });
  let given = 0;
  if (known) {
    try {
      for await (const piece of read(known)) {
        given += piece.length;
        yield piece;
      }
      return;
    } catch (error) {
      if (!isDamage(error) || error.damage !== 'block') throw error;
      const now = await fetchNonce(vault, address, signal);
      remember(address, now);
      if (now.every((byte, index) => byte === known[index])) throw error;
      if (given > 0 || nonce !== undefined) throw damaged('replaced', given);
    }
  }
  if (start === 0 && !nonces.has(address)) {
    // A read from the beginning fetches the header and the content in one request.
    const whole = clearSize(size) ?? 0;
    const { header, rest } = await withoutHeader(fetched(address, 0, Math.min(size, sealedSize(roundUp(Math.min(end, whole)))), signal));
    const now = vault.nonceOf(header);
    remember(address, now);
    return yield* vault.files.read(() => rest, { size, nonce: now, start, end, isReused: true });
  }
  const now = nonces.get(address) ?? (await fetchNonce(vault, address, signal));
  remember(address, now);
  yield* read(now);
}

/** Rounds up to whole blocks. */
const roundUp = (size: number): number => Math.ceil(size / blockSize) * blockSize;

/** Failure code: the damage of a file, the refusal of a share, or `unreadable`. */
export function failureOf(error: unknown): string {
  if (isDamage(error)) return error.damage;
  if (error instanceof Unreadable && refusals.includes(error.refusal)) return error.refusal;
  if (error instanceof Unreadable || error instanceof TypeError) return 'unreadable';
  return error instanceof DOMException && error.name === 'NotReadableError' ? 'changed' : 'failed';
}

/** Refusals of a share that its visitor sees unchanged. */
const refusals: readonly string[] = ['WEBLINK_GONE', 'WEBLINK_USED_UP', 'WEBLINK_PASSWORD_NEEDED'];

/** Answers each request of the port with the next piece of the clear file, and decrypts one piece ahead. */
export async function openRange(
  read: ((range: Range, signal: AbortSignal) => AsyncGenerator<Uint8Array>) | undefined,
  { port, ...range }: Range & { port: MessagePort },
): Promise<undefined> {
  const life = new AbortController();
  /** A buffer that the reader has returned. */
  let spare: ArrayBuffer | undefined;
  const newRoom = (size: number): ArrayBuffer => {
    const room = spare?.byteLength === size ? spare : new ArrayBuffer(size);
    spare = undefined;
    return room;
  };
  const pieces = read && gathered(read(range, life.signal), newRoom);
  const next = async (): Promise<PieceAnswer> => {
    try {
      if (!pieces) throw damaged('locked', 0);
      const { done, value } = await pieces.next();
      return done === true ? { end: true } : { bytes: value };
    } catch (error) {
      return { failure: failureOf(error) };
    }
  };
  let ahead: Promise<PieceAnswer> | undefined;
  const give = async (): Promise<void> => {
    const answer = await (ahead ?? next());
    port.postMessage(answer, 'bytes' in answer ? [answer.bytes.buffer] : []);
    if ('bytes' in answer) ahead = next();
  };
  port.addEventListener('message', ({ data }: MessageEvent<PieceRequest>) => {
    if (data === 'cancel') {
      life.abort();
      port.close();
    } else {
      spare = data.room;
      void give();
    }
  });
  port.start();
  return undefined;
}
