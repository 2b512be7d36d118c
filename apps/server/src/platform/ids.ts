import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new unguessable id: 20 letters and digits, 119 bits. */
export const newId = (): string => randomLetters(20);

/** A new id whose knowledge grants access: 22 letters and digits, 130 bits. */
export const newPublicId = (): string => randomLetters(22);

function randomLetters(length: number): string {
  let id = '';
  while (id.length < length) {
    // Skips bytes beyond the last multiple of 62, which would make some letters likelier.
    for (const byte of randomBytes(32)) if (byte < 248 && id.length < length) id += alphabet[byte % 62] ?? '';
  }
  return id;
}
