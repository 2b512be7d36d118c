import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new id that nobody can guess: 20 letters and digits, 119 bits. */
export function newId(): string {
  let id = '';
  while (id.length < 20) {
    // Bytes beyond the last multiple of 62 would make some letters likelier.
    for (const byte of randomBytes(32)) if (byte < 248 && id.length < 20) id += alphabet[byte % 62] ?? '';
  }
  return id;
}
