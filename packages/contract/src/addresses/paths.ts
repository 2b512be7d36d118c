/** Base for parsing a path; never fetched. */
const here = 'http://here.invalid';

/**
 * Returns path, query and hash of `value` if it stays on this installation, else `fallback`: for another host, a scheme, `//host` and its variants
 * (backslashes, tabs, line breaks, dot segments), and control characters. Prevents open redirects by redirectUrl and cancelUrl.
 */
export function safePath(value: string | undefined, fallback: string): string {
  if (value === undefined || !value.startsWith('/')) return fallback;
  // Browsers drop tabs and line breaks from addresses and treat a backslash as a slash.
  if (/[\s\p{Cc}\\]/u.test(value)) return fallback;
  if (!URL.canParse(value, here)) return fallback;
  const { origin, pathname, search, hash } = new URL(value, here);
  if (origin !== here || pathname.startsWith('//') || /^\/(?:%2f|%5c|%09|%0a|%0d)/i.test(pathname)) return fallback;
  return pathname + search + hash;
}
