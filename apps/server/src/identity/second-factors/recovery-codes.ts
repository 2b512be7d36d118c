import { randomBytes } from 'node:crypto';
import { recoveryCodeCount } from '@sheaf/contract';
import { hashToken } from '#/platform/tokens.ts';

/** Without letters and digits that look alike. */
const mails = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Returns new codes of 16 letters in groups of four: 79 bits each, so that a plain hash is enough. */
export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newCode);

function newCode(): string {
  let code = '';
  while (code.length < 16) {
    for (const byte of randomBytes(32)) {
      // Rejects bytes from 248 on, the largest multiple of the number of letters, so that every letter is equally likely.
      if (byte < 248 && code.length < 16) code += mails[byte % mails.length] ?? '';
    }
  }
  return code.replace(/(.{4})(?=.)/g, '$1-');
}

/** The hash stored for a code, independent of how it was typed. */
export const hashRecoveryCode = (typed: string): string => hashToken(typed.toLowerCase().replace(/[^a-z0-9]/g, ''));
