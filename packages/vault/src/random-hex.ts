import { toHex } from './base64.ts';

/** Returns `size` random bytes as hexadecimal text. */
export const randomHex = (size: number): string => toHex(crypto.getRandomValues(new Uint8Array(size)));
