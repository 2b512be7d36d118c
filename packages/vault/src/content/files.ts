import { damaged } from './damage.ts';
import { blockOffset, blockSize, clearSize, headerSize, magic, nonceOf, nonceSize, sealedBlockSize, sealedSize } from './format.ts';
import { inPieces } from './in-pieces.ts';
import { createSecretBox, tagSize } from './secretbox.ts';

/** Streams `length` bytes from offset `start`, in pieces of any size. */
export type ReadRange = (start: number, length: number) => AsyncIterable<Uint8Array>;

/** Encrypts and decrypts file contents with one key of 32 bytes. */
export function createFiles(dataKey: Uint8Array) {
  const box = createSecretBox();
  const key = new Uint32Array(Uint8Array.from(dataKey).buffer);

  let isWiped = false;
  /** Throws VaultDamage after the key was wiped: everything would be sealed with zeros. */
  const check = (): void => {
    if (isWiped) throw damaged('locked', 0);
  };

  /**
   * Encrypts consecutive blocks of a clear file; `first` is the number of the first one. Only the last block of a file may be shorter. The result is
   * written to the beginning of `room` if it is given.
   */
  function sealBlocks(nonce: Uint8Array, first: number, clear: Uint8Array, room?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    check();
    const count = Math.ceil(clear.length / blockSize);
    const size = clear.length + count * tagSize;
    const out = room?.subarray(0, size) ?? new Uint8Array(size);
    for (let index = 0; index < count; index++) {
      const piece = clear.subarray(index * blockSize, (index + 1) * blockSize);
      box.seal(key, nonceOf(nonce, first + index), piece, out.subarray(index * sealedBlockSize));
    }
    return out;
  }

  /** Decrypts one block. Throws VaultDamage with the offset if a bit of the block, its key or its position is wrong. */
  function openBlock(nonce: Uint8Array, block: number, sealed: Uint8Array, room?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    check();
    const size = Math.max(0, sealed.length - tagSize);
    const clear = room?.subarray(0, size) ?? new Uint8Array(size);
    if (clear.length === 0 || !box.open(key, nonceOf(nonce, block), sealed, clear)) throw damaged('block', block * blockSize);
    return clear;
  }

  return {
    check,
    sealBlocks,

    /** Returns the first bytes of an encrypted file. */
    header(nonce: Uint8Array): Uint8Array<ArrayBuffer> {
      const header = new Uint8Array(headerSize);
      header.set(magic);
      header.set(nonce, magic.length);
      return header;
    },

    /** Encrypts a small file in one step. */
    seal(nonce: Uint8Array, clear: Uint8Array): Uint8Array<ArrayBuffer> {
      const out = new Uint8Array(sealedSize(clear.length));
      out.set(this.header(nonce));
      out.set(sealBlocks(nonce, 0, clear), headerSize);
      return out;
    },

    /**
     * Streams the clear bytes `start` to `end` (exclusive) of a file of `size` encrypted bytes. Each piece is authenticated before it is yielded. Throws
     * VaultDamage for a file that is not of a vault, a damaged block, or a file that ends too early.
     */
    async *read(source: ReadRange, { size, nonce, start, end, isReused = false }: ReadOptions): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      const whole = clearSize(size);
      if (whole === undefined) throw damaged('cut', 0);
      if (start >= end) return;
      const first = Math.floor(start / blockSize);
      const last = Math.floor((Math.min(end, whole) - 1) / blockSize);
      const from = blockOffset(first);
      const until = Math.min(blockOffset(last + 1), size);
      const room = isReused ? new Uint8Array(blockSize) : undefined;
      let block = first;
      for await (const sealed of inPieces(source(from, until - from), sealedBlockSize)) {
        const offset = block * blockSize;
        const clear = openBlock(nonce, block, sealed, room);
        yield clear.subarray(Math.max(0, start - offset), Math.min(clear.length, end - offset));
        block += 1;
      }
      if (block !== last + 1) throw damaged('cut', block * blockSize);
    },

    /** Overwrites the key; all other methods throw from then on. */
    wipe(): void {
      isWiped = true;
      key.fill(0);
      box.wipe();
    },
  };
}

export interface ReadOptions {
  /** Size of the encrypted file, in bytes. */
  readonly size: number;
  readonly nonce: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Yields all pieces in one reused buffer, to spare the garbage collector; each piece is valid only until the next one is requested. */
  readonly isReused?: boolean;
}

/** Reads the nonce from the first bytes of a file. Throws VaultDamage if the file is not of a vault. */
export function nonceOfHeader(header: Uint8Array): Uint8Array<ArrayBuffer> {
  if (header.length < headerSize || magic.some((byte, index) => header[index] !== byte)) throw damaged('foreign', 0);
  // `slice` of a Buffer would share its memory.
  return Uint8Array.from(header.subarray(magic.length, magic.length + nonceSize));
}
