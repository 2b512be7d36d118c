import { damaged } from './damage.ts';
import { blockOffset, blockSize, clearSize, headerSize, magic, nonceOf, nonceSize, sealedBlockSize, sealedSize } from './format.ts';
import { inPieces } from './in-pieces.ts';
import { createSecretBox, tagSize } from './secretbox.ts';

/** Reads `length` bytes from `start` on as they come, in pieces of any size. */
export type ReadRange = (start: number, length: number) => AsyncIterable<Uint8Array>;

/** Encrypts and decrypts the contents of files, with one key of 32 bytes. */
export function createFiles(dataKey: Uint8Array) {
  const box = createSecretBox();
  const key = new Uint32Array(Uint8Array.from(dataKey).buffer);

  let isWiped = false;
  /** Without its key everything would be sealed with zeros: throws VaultDamage then. */
  const check = (): void => {
    if (isWiped) throw damaged('locked', 0);
  };

  /** The encrypted bytes of whole blocks of a clear file; `first` is the number of the first. Only the last block of a file may be shorter. */
  function sealBlocks(nonce: Uint8Array, first: number, clear: Uint8Array): Uint8Array<ArrayBuffer> {
    check();
    const count = Math.ceil(clear.length / blockSize);
    const out = new Uint8Array(clear.length + count * tagSize);
    for (let index = 0; index < count; index++) {
      const piece = clear.subarray(index * blockSize, (index + 1) * blockSize);
      box.seal(key, nonceOf(nonce, first + index), piece, out.subarray(index * sealedBlockSize));
    }
    return out;
  }

  /** The clear bytes of one block. Throws VaultDamage with the place if a bit of it, its key or its position is wrong. */
  function openBlock(nonce: Uint8Array, block: number, sealed: Uint8Array): Uint8Array<ArrayBuffer> {
    check();
    const clear = new Uint8Array(Math.max(0, sealed.length - tagSize));
    if (clear.length === 0 || !box.open(key, nonceOf(nonce, block), sealed, clear)) throw damaged('block', block * blockSize);
    return clear;
  }

  return {
    check,
    sealBlocks,

    /** First bytes of an encrypted file. */
    header(nonce: Uint8Array): Uint8Array<ArrayBuffer> {
      const header = new Uint8Array(headerSize);
      header.set(magic);
      header.set(nonce, magic.length);
      return header;
    },

    /** A small file as a whole. */
    seal(nonce: Uint8Array, clear: Uint8Array): Uint8Array<ArrayBuffer> {
      const out = new Uint8Array(sealedSize(clear.length));
      out.set(this.header(nonce));
      out.set(sealBlocks(nonce, 0, clear), headerSize);
      return out;
    },

    /**
     * Bytes `start` to `end` (exclusive) of a file of `size` encrypted bytes. Each piece was proven before it is given out. Throws VaultDamage for a
     * file of another kind, a damaged block, or one that ends too early.
     */
    async *read(source: ReadRange, { size, nonce, start, end }: ReadOptions): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      const whole = clearSize(size);
      if (whole === undefined) throw damaged('cut', 0);
      if (start >= end) return;
      const first = Math.floor(start / blockSize);
      const last = Math.floor((Math.min(end, whole) - 1) / blockSize);
      const from = blockOffset(first);
      const until = Math.min(blockOffset(last + 1), size);
      let block = first;
      for await (const sealed of inPieces(source(from, until - from), sealedBlockSize)) {
        const offset = block * blockSize;
        const clear = openBlock(nonce, block, sealed);
        yield clear.subarray(Math.max(0, start - offset), Math.min(clear.length, end - offset));
        block += 1;
      }
      if (block !== last + 1) throw damaged('cut', block * blockSize);
    },

    /** Overwrites the key; everything else is refused from then on. */
    wipe(): void {
      isWiped = true;
      key.fill(0);
      box.wipe();
    },
  };
}

export interface ReadOptions {
  /** Of the encrypted file. */
  readonly size: number;
  readonly nonce: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The nonce of a file with these first bytes. Throws VaultDamage if it is no file of a vault. */
export function nonceOfHeader(header: Uint8Array): Uint8Array<ArrayBuffer> {
  if (header.length < headerSize || magic.some((byte, index) => header[index] !== byte)) throw damaged('foreign', 0);
  // Not `slice`, which would share memory where the header is a Buffer.
  return Uint8Array.from(header.subarray(magic.length, magic.length + nonceSize));
}
