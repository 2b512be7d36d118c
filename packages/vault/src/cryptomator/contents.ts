import { ctr, gcm } from '@noble/ciphers/aes.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { damaged } from '../content/damage.ts';
import type { ReadRange } from '../content/files.ts';
import { inPieces } from '../content/in-pieces.ts';
import type { CipherCombo, Masterkey } from './masterkey.ts';

/** Size of a clear chunk, in bytes. */
const chunkSize = 32_768;

/** The key of a file's contents, and the nonce that binds each chunk to its file. */
interface Header {
  readonly nonce: Uint8Array;
  readonly contentKey: Uint8Array;
}

interface Cipher {
  readonly nonceSize: number;
  readonly tagSize: number;
  /** Returns undefined for a header that does not authenticate. */
  openHeader(sealed: Uint8Array): Header | undefined;
  openChunk(sealed: Uint8Array, chunk: number, header: Header): Uint8Array | undefined;
}

function bigEndian(chunk: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(chunk));
  return bytes;
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

function withGcm({ encryption }: Masterkey): Cipher {
  const open = (key: Uint8Array, sealed: Uint8Array, proved?: Uint8Array): Uint8Array | undefined => {
    try {
      return gcm(key, sealed.slice(0, 12), proved).decrypt(sealed.slice(12));
    } catch {
      return undefined;
    }
  };
  return {
    nonceSize: 12,
    tagSize: 16,
    openHeader(sealed) {
      const payload = open(encryption, sealed);
      return payload && { nonce: sealed.slice(0, 12), contentKey: payload.slice(8) };
    },
    openChunk: (sealed, chunk, { nonce, contentKey }) => open(contentKey, sealed, joined(bigEndian(chunk), nonce)),
  };
}

function withCtr({ encryption, mac }: Masterkey): Cipher {
  const tagSize = 32;
  const open = (key: Uint8Array, sealed: Uint8Array, ...before: readonly Uint8Array[]): Uint8Array | undefined => {
    const end = sealed.length - tagSize;
    const tag = hmac(sha256, mac, joined(...before, sealed.subarray(0, end)));
    if (!tag.every((byte, index) => byte === sealed[end + index])) return undefined;
    return ctr(key, sealed.slice(0, 16)).decrypt(sealed.slice(16, end));
  };
  return {
    nonceSize: 16,
    tagSize,
    openHeader(sealed) {
      const payload = open(encryption, sealed);
      return payload && { nonce: sealed.slice(0, 16), contentKey: payload.slice(8) };
    },
    openChunk: (sealed, chunk, { nonce, contentKey }) => open(contentKey, sealed, nonce, bigEndian(chunk)),
  };
}

/** Decrypts file contents of a Cryptomator vault. */
export function createCryptomatorFiles(masterkey: Masterkey, combo: CipherCombo) {
  const cipher = combo === 'SIV_GCM' ? withGcm(masterkey) : withCtr(masterkey);
  const around = cipher.nonceSize + cipher.tagSize;
  const headerSize = around + 40;
  const sealedChunk = chunkSize + around;

  return {
    headerSize,

    /** Returns the clear size of an encrypted file, in bytes; undefined for a size that no encrypted file has. */
    clearSize(size: number): number | undefined {
      const body = size - headerSize;
      const rest = body % sealedChunk;
      if (body < 0 || (rest > 0 && rest < around)) return undefined;
      return Math.floor(body / sealedChunk) * chunkSize + Math.max(0, rest - around);
    },

    /** Throws VaultDamage for a header that was not written with these keys. */
    openHeader(sealed: Uint8Array): Header {
      const header = sealed.length === headerSize ? cipher.openHeader(sealed) : undefined;
      if (!header) throw damaged('foreign', 0);
      return header;
    },

    /** Streams the clear bytes `start` to `end` (exclusive) of a file of `size` encrypted bytes. Each piece is authenticated before it is yielded. */
    async *read(
      source: ReadRange,
      { size, header, start, end }: { readonly size: number; readonly header: Header; readonly start: number; readonly end: number },
    ): AsyncGenerator<Uint8Array> {
      const whole = this.clearSize(size);
      if (whole === undefined) throw damaged('cut', 0);
      const last = Math.min(end, whole);
      if (start >= last) return;
      let chunk = Math.floor(start / chunkSize);
      const from = headerSize + chunk * sealedChunk;
      const until = Math.min(size, headerSize + Math.ceil(last / chunkSize) * sealedChunk);
      for await (const sealed of inPieces(source(from, until - from), sealedChunk)) {
        const at = chunk * chunkSize;
        const clear = sealed.length > around ? cipher.openChunk(sealed.slice(), chunk, header) : undefined;
        if (!clear) throw damaged('block', at);
        yield clear.slice(Math.max(0, start - at), Math.min(clear.length, last - at));
        chunk += 1;
      }
      if (chunk * chunkSize < last) throw damaged('cut', chunk * chunkSize);
    },
  };
}
