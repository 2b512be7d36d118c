import { appError, forbiddenInNames, isBlank, limits } from '@sheaf/contract';

/** An address as stored, and the key that makes it unique. */
export interface EmailAddress {
  readonly email: string;
  readonly emailKey: string;
}

/** Longest address that SMTP carries (RFC 5321 §4.5.3.1.3, without the angle brackets). */
const longestEmail = 254;

/** Normalises a typed address; throws EMAIL_INVALID. Addresses that differ only in case are one. */
export function readEmail(typed: string): EmailAddress {
  const email = typed.trim().normalize('NFC');
  if (!/^[^\s@<>()[\]",;:\\\p{Cc}]+@[^\s@<>()[\]",;:\\\p{Cc}]+$/u.test(email) || email.length > longestEmail)
    throw appError('EMAIL_INVALID', {});
  return { email, emailKey: email.toLowerCase() };
}

/** Whether an address from outside is the one with that key. */
export const isSameEmail = (email: string | undefined, emailKey: string): boolean =>
  email?.trim().normalize('NFC').toLowerCase() === emailKey;

const hasForbidden = (name: string): boolean => forbiddenInNames.some((character) => name.includes(character)) || /\p{Cc}/u.test(name);
const hasLength = (name: string): boolean => !isBlank(name) && name.length <= limits.nameLength.max;

/** Whether {@link readName} accepts it. */
export const isName = (typed: string): boolean => !hasForbidden(typed.trim()) && hasLength(typed.trim());

/** Normalises a typed name; throws INVALID_NAME or INVALID_PARAMETER. */
export function readName(typed: string): string {
  const name = typed.trim();
  if (hasForbidden(name)) throw appError('INVALID_NAME', {});
  if (!hasLength(name)) throw appError('INVALID_PARAMETER', { field: 'name' });
  return name;
}

/** Returns a name for an account whose provider sent none. */
export function nameFromEmail(email: string): string {
  const local = email.split('@')[0] ?? '';
  const allowed = forbiddenInNames.reduce<string>((name, character) => name.replaceAll(character, ''), local);
  return allowed.slice(0, limits.nameLength.max) || 'Sheaf';
}
