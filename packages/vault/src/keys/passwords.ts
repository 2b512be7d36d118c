import type { Passwords } from './derive.ts';

export function isPasswords(value: unknown): value is Passwords {
  return (
    typeof value === 'object' &&
    value !== null &&
    'password' in value &&
    'password2' in value &&
    [value.password, value.password2].every((text) => typeof text === 'string')
  );
}
