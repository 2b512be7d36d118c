import { type Vault, blockSize, clearSize, damaged, fromBase64, headerSize, isDamage, sealedSize, withoutHeader } from '@sheaf/vault';
import { gathered } from './gathered.ts';

/** A part of an encrypted file that a page wants to read. */
export interface Range {
  /** Where its encrypted bytes are fetched from. */
  readonly address: string;
  /** Of the encrypted file. */
  readonly size: number;
  readonly start: number;
  readonly end: number;
  /** Base64 of the nonce that the file was judged by: with another one it is another content. */
  readonly nonce?: string;
}

/** The reader asks for each piece, so that a slow one never fills the memory. */
export type PieceAnswer = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly end: true } | { readonly failure: string };

/** The storage, or a share, did not give the bytes. */
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

/** Chromium cancels a download when a body that it is made of goes beyond 2 GiB. */
const mostAtOnce = 2 ** 30;

export async function* fetched(address: string, start: number, length: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let taken = 0; taken < length; taken += mostAtOnce)
    yield* fetchedAtOnce(address, start + taken, Math.min(length - taken, mostAtOnce), signal);
}

async function* fetchedAtOnce(address: string, start: number, length: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const response = await fetch(address, { headers: { range: `bytes=${start}-${start + length - 1}` }, signal });
  if (response.status !== 206 || response.body === null) throw await unreadable(response);
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Nonce of a file, from its first bytes. Throws VaultDamage if no vault wrote it. */
export async function fetchNonce(vault: Vault, address: string, signal: AbortSignal): Promise<Uint8Array> {
  const header: number[] = [];
  for await (const piece of fetched(address, 0, headerSize, signal)) header.push(...piece);
  return vault.nonceOf(Uint8Array.from(header));
}

/** Nonces of files that were read lately: a player asks for many ranges of one file. */
const nonces = new Map<string, Uint8Array>();
const mostNonces = 100;

function remember(address: string, nonce: Uint8Array): void {
  if (nonces.size >= mostNonces) nonces.clear();
  nonces.set(address, nonce);
}

/**
 * The clear bytes of a range. A nonce from before may be that of a content that was replaced since: then no block opens with it, and the header is
 * fetched again. So bytes of two contents are never mixed, and no version of the file has to be known.
 */
export async function* clearBytes(
  vault: Vault,
  { address, size, start, end, nonce }: Range,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const known = nonce === undefined ? nonces.get(address) : fromBase64(nonce);
  const read = (from: Uint8Array) =>
    vault.files.read((at, length) => fetched(address, at, length, signal), { size, nonce: from, start, end });
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
    // A file that is read from its beginning is fetched at once, with its header.
    const whole = clearSize(size) ?? 0;
    const { header, rest } = await withoutHeader(fetched(address, 0, Math.min(size, sealedSize(roundUp(Math.min(end, whole)))), signal));
    const now = vault.nonceOf(header);
    remember(address, now);
    return yield* vault.files.read(() => rest, { size, nonce: now, start, end });
  }
  const now = nonces.get(address) ?? (await fetchNonce(vault, address, signal));
  remember(address, now);
  yield* read(now);
}

/** Bytes of the whole blocks that these bytes begin. */
const roundUp = (size: number): number => Math.ceil(size / blockSize) * blockSize;

/** What failed, as a code: the damage of a file, why a share gives nothing, or `unreadable`. */
export function failureOf(error: unknown): string {
  if (isDamage(error)) return error.damage;
  if (error instanceof Unreadable && refusals.includes(error.refusal)) return error.refusal;
  if (error instanceof Unreadable || error instanceof TypeError) return 'unreadable';
  return error instanceof DOMException && error.name === 'NotReadableError' ? 'changed' : 'failed';
}

/** Refusals of a share that its visitor is told as they are. */
const refusals: readonly string[] = ['WEBLINK_GONE', 'WEBLINK_USED_UP', 'WEBLINK_PASSWORD_NEEDED'];

/** Answers each message of the port with the next piece of the clear file; `cancel` ends it. The piece after it is opened while the reader takes it. */
export async function openRange(
  read: ((range: Range, signal: AbortSignal) => AsyncGenerator<Uint8Array>) | undefined,
  { port, ...range }: Range & { port: MessagePort },
): Promise<undefined> {
  const life = new AbortController();
  const pieces = read && gathered(read(range, life.signal));
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
    // Copied, not transferred: Chromium keeps the memory of a buffer that was given away until it collects garbage, and does not count it, so that it never
    // does in time.
    port.postMessage(answer);
    if ('bytes' in answer) ahead = next();
  };
  port.addEventListener('message', ({ data }: MessageEvent<'next' | 'cancel'>) => {
    if (data === 'cancel') {
      life.abort();
      port.close();
    } else void give();
  });
  port.start();
  return undefined;
}
