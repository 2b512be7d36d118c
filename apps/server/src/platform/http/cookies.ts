/** The value of a cookie in a Cookie header (RFC 6265 §4.2), or undefined. The first of several with that name wins: its path is the longest. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

interface CookieRule {
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** In seconds; without it the cookie lasts until the browser is closed. 0 deletes the cookie. */
  readonly maxAge?: number;
  readonly path?: string;
}

/** One Set-Cookie header (RFC 6265 §4.1), SameSite=Lax. Throws TypeError for a value that a cookie cannot hold. */
export function writeCookie(name: string, value: string, { secure, httpOnly, maxAge, path = '/' }: CookieRule): string {
  if (!/^[\w!#$%&'()*+\-./:<=>?@[\]^`{|}~]*$/.test(value)) throw new TypeError(`the cookie ${name} cannot hold this value`);
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${value}; Path=${path}; SameSite=Lax${age}${httpOnly ? '; HttpOnly' : ''}${secure ? '; Secure' : ''}`;
}
