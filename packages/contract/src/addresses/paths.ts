/** Stands for this installation while a path is taken apart; never fetched. */
const here = 'http://here.invalid';

/**
 * The path, query and hash that `value` names on this installation, or `fallback` for anything that could lead elsewhere: another host,
 * a scheme, `//host` and its disguises (backslashes, tabs, line breaks, dot segments), and control characters. For redirectUrl and cancelUrl.
 */
export function safePath(value: string | undefined, fallback: string): string {
  if (value === undefined || !value.startsWith('/')) return fallback;
  // Browsers drop tabs and line breaks from addresses and read a backslash as a slash.
  if (/[\s\p{Cc}\\]/u.test(value)) return fallback;
  if (!URL.canParse(value, here)) return fallback;
  const { origin, pathname, search, hash } = new URL(value, here);
  if (origin !== here || pathname.startsWith('//') || /^\/(?:%2f|%5c|%09|%0a|%0d)/i.test(pathname)) return fallback;
  return pathname + search + hash;
}
