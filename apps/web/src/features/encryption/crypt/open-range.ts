import { type Vault, damaged, headerSize, isDamage } from '@sheaf/vault';

interface Range {
  readonly linkUri: string;
  /** Of the encrypted file. */
  readonly size: number;
  readonly start: number;
  readonly end: number;
  readonly port: MessagePort;
}

/** The reader asks for each piece, so that a slow one never fills the memory. */
export type PieceAnswer = { readonly bytes: Uint8Array } | { readonly end: true } | { readonly failure: string };

const addressOf = (linkUri: string): string => `/rest/content/download?${new URLSearchParams({ linkUri }).toString()}`;

async function* fetched(linkUri: string, start: number, length: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  const response = await fetch(addressOf(linkUri), { headers: { range: `bytes=${start}-${start + length - 1}` }, signal });
  if (response.status !== 206 || response.body === null) throw new Error('unreadable');
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Nonces of files that were read lately: a player asks for many ranges of one file. */
const nonces = new Map<string, Uint8Array>();

/** Answers each message of the port with the next piece of the clear file; `cancel` ends it. */
export async function openRange(vault: Vault | undefined, { linkUri, size, start, end, port }: Range): Promise<undefined> {
  const life = new AbortController();
  const read = async (): Promise<AsyncGenerator<Uint8Array>> => {
    if (!vault) throw damaged('locked', 0);
    const key = `${linkUri}\n${size}`;
    let nonce = start === 0 ? undefined : nonces.get(key);
    if (!nonce) {
      const header: number[] = [];
      for await (const piece of fetched(linkUri, 0, headerSize, life.signal)) header.push(...piece);
      nonce = vault.nonceOf(Uint8Array.from(header));
      nonces.clear();
      nonces.set(key, nonce);
    }
    return vault.files.read((from, length) => fetched(linkUri, from, length, life.signal), { size, nonce, start, end });
  };
  let pieces: AsyncGenerator<Uint8Array> | undefined;
  const next = async (): Promise<PieceAnswer> => {
    try {
      pieces ??= await read();
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
