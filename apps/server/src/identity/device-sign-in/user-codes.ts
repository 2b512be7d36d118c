import { createHmac, randomInt } from 'node:crypto';

/** Consonants that form no words and that nobody confuses: RFC 8628, section 6.1. Eight of them are 34 bits. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** Codes that people compare and type. */
export function createUserCodes(masterKey: Buffer) {
  const key = createHmac('sha256', masterKey).update('device user codes').digest();
  return {
    /** Such as `BCDF-GHJK`. */
    make: (): string => shown(Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('')),
    /** The code in its usual form; undefined for a text that is none. Case, spaces and punctuation do not matter: RFC 8628, section 6.1. */
    read(typed: string): string | undefined {
      const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
      return letters.length === length && [...letters].every((letter) => alphabet.includes(letter)) ? shown(letters) : undefined;
    },
    hash: (userCode: string): string => createHmac('sha256', key).update(userCode).digest('base64url'),
  };
}
export type UserCodes = ReturnType<typeof createUserCodes>;

const shown = (letters: string): string => `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`;
