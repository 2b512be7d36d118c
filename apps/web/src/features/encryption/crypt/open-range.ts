import { type Vault, blockSize, clearSize, damaged, fromBase64, headerSize, isDamage, sealedSize, withoutHeader } from '@sheaf/vault';

/** A part of an encrypted file that a page wants to read. */
interface Range {
  readonly linkUri: string;
  /** Of the encrypted file. */
  readonly size: number;
  readonly start: number;
  readonly end: number;
  /** Base64 of the nonce that the file was judged by: with another one it is another content. */
  readonly nonce?: string;
  readonly port: MessagePort;
}

/** The reader asks for each piece, so that a slow one never fills the memory. */
export type PieceAnswer = { readonly bytes: Uint8Array } | { readonly end: true } | { readonly failure: string };

/** The storage did not give the bytes. */
export class Unreadable extends Error {}

const addressOf = (linkUri: string): string => `/rest/content/download?${new URLSearchParams({ linkUri }).toString()}`;

export async function* fetched(linkUri: string, start: number, length: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  const response = await fetch(addressOf(linkUri), { headers: { range: `bytes=${start}-${start + length - 1}` }, signal });
  if (response.status !== 206 || response.body === null) throw new Unreadable();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Nonce of a file, from its first bytes. Throws VaultDamage if no vault wrote it. */
export async function fetchNonce(vault: Vault, linkUri: string, signal: AbortSignal): Promise<Uint8Array> {
  const header: number[] = [];
  for await (const piece of fetched(linkUri, 0, headerSize, signal)) header.push(...piece);
  return vault.nonceOf(Uint8Array.from(header));
}

/** Nonces of files that were read lately: a player asks for many ranges of one file. */
const nonces = new Map<string, Uint8Array>();
const mostNonces = 100;

function remember(linkUri: string, nonce: Uint8Array): void {
  if (nonces.size >= mostNonces) nonces.clear();
  nonces.set(linkUri, nonce);
}

/**
 * The clear bytes of a range. A nonce from before may be that of a content that was replaced since: then no block opens with it, and the header is
 * fetched again. So bytes of two contents are never mixed, and no version of the file has to be known.
 */
async function* clearBytes(vault: Vault, { linkUri, size, start, end, nonce }: Range, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const known = nonce === undefined ? nonces.get(linkUri) : fromBase64(nonce);
  const read = (from: Uint8Array) =>
    vault.files.read((at, length) => fetched(linkUri, at, length, signal), { size, nonce: from, start, end });
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
      const now = await fetchNonce(vault, linkUri, signal);
      remember(linkUri, now);
      if (now.every((byte, index) => byte === known[index])) throw error;
      if (given > 0 || nonce !== undefined) throw damaged('replaced', given);
    }
  }
  if (start === 0 && !nonces.has(linkUri)) {
    // A file that is read from its beginning is fetched at once, with its header.
    const whole = clearSize(size) ?? 0;
    const { header, rest } = await withoutHeader(fetched(linkUri, 0, Math.min(size, sealedSize(roundUp(Math.min(end, whole)))), signal));
    const now = vault.nonceOf(header);
    remember(linkUri, now);
    return yield* vault.files.read(() => rest, { size, nonce: now, start, end });
  }
  const now = nonces.get(linkUri) ?? (await fetchNonce(vault, linkUri, signal));
  remember(linkUri, now);
  yield* read(now);
}

/** Bytes of the whole blocks that these bytes begin. */
const roundUp = (size: number): number => Math.ceil(size / blockSize) * blockSize;

/** Answers each message of the port with the next piece of the clear file; `cancel` ends it. */
export async function openRange(vault: Vault | undefined, range: Range): Promise<undefined> {
  const life = new AbortController();
  const { port } = range;
  const pieces = vault && clearBytes(vault, range, life.signal);
  const next = async (): Promise<PieceAnswer> => {
    try {
      if (!pieces) throw damaged('locked', 0);
      const { done, value } = await pieces.next();
      return done === true ? { end: true } : { bytes: value };
    } catch (error) {
      if (isDamage(error)) return { failure: error.damage };
      return { failure: 'unreadable' };
    }
  };
  port.addEventListener('message', ({ data }: MessageEvent<'next' | 'cancel'>) => {
    if (data === 'cancel') {
      life.abort();
      port.close();
    } else void next().then((answer) => port.postMessage(answer));
  });
  port.start();
  return undefined;
}
