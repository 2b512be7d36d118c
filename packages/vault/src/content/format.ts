import { tagSize } from './secretbox.ts';

/** Every file begins with these eight bytes and its nonce (rclone, "Crypt: file encryption"). */
export const magic = new TextEncoder().encode('RCLONE\0\0');
export const nonceSize = 24;
export const headerSize = magic.length + nonceSize;
export const blockSize = 65_536;
export const sealedBlockSize = blockSize + tagSize;

/** Returns the encrypted size of a clear file, in bytes. */
export const sealedSize = (size: number): number => headerSize + size + Math.ceil(size / blockSize) * tagSize;

/** Returns the clear size of an encrypted file, in bytes; undefined for a size that no encrypted file has. */
export function clearSize(size: number): number | undefined {
  const body = size - headerSize;
  if (body < 0) return undefined;
  const rest = body % sealedBlockSize;
  if (rest > 0 && rest <= tagSize) return undefined;
  return Math.floor(body / sealedBlockSize) * blockSize + Math.max(0, rest - tagSize);
}

/** Offset of a block in the encrypted file. */
export const blockOffset = (block: number): number => headerSize + block * sealedBlockSize;

/** Nonce of a block: the nonce of the file plus the number of the block, little-endian. */
export function nonceOf(fileNonce: Uint8Array, block: number): Uint8Array {
  const nonce = Uint8Array.from(fileNonce);
  let carry = block;
  for (let index = 0; index < nonceSize && carry > 0; index++) {
    const sum = (nonce[index] ?? 0) + (carry % 256);
    nonce[index] = sum;
    carry = Math.floor(carry / 256) + (sum >> 8);
  }
  return nonce;
}
