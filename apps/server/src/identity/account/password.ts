import { appError, limits } from '@sheaf/contract';

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** A hash that matches no password, so that a comparison without an account takes as long as with one. */
export const nobody = '$argon2id$v=19$m=19456,t=2,p=1$c2hlYWYtbm9ib2R5LXNhbHQ$mwTdFb3L3tSyiQfh2QJnLVZeKPGYjnbTb3x6xPlQ6xo';

/** Loads the native library with the first password. */
const argon2 = () => import('@node-rs/argon2');

/** Hashes a new password, in PHC form. Throws WEAK_PASSWORD when it is too short, INVALID_PARAMETER when it is far too long. */
export async function hashPassword(password: string): Promise<string> {
  checkPassword(password);
  return hashAnyPassword(password);
}

/** Like {@link hashPassword}, without a minimum length: for shares whose owner chooses how weakly to protect them. Throws INVALID_PARAMETER. */
export async function hashAnyPassword(password: string): Promise<string> {
  if (password.length > limits.passwordLength.max) throw appError('INVALID_PARAMETER', { field: 'password' });
  return (await argon2()).hash(password.normalize('NFC'), cost);
}

/** Throws like {@link hashPassword}, without hashing. */
export function checkPassword(password: string): void {
  if (password.length < limits.passwordLength.min) throw appError('WEAK_PASSWORD', { length: String(limits.passwordLength.min) });
  if (password.length > limits.passwordLength.max) throw appError('INVALID_PARAMETER', { field: 'password' });
}

/** Whether the password matches the hash; takes as long when there is no hash. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  if (password.length > limits.passwordLength.max) return false;
  const fits = await (await argon2()).verify(stored ?? nobody, password.normalize('NFC'));
  return fits && typeof stored === 'string';
}
