import { cookies } from '@sheaf/contract';

/** The value of a cookie that scripts may read, or undefined. */
export function readCookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`));
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(name.length + 1));
}

/** Stores a choice for a year, for this site only. */
export function writeCookie(name: string, value: string): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; samesite=lax`;
}

/** The tag that every write sends as rTag; empty when signed out. */
export const rTag = (): string => readCookie(cookies.tag) ?? '';
