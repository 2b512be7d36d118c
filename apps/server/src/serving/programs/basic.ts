/** User name and password of an Authorization header (RFC 7617, UTF-8); undefined for none and for other schemes. */
export function basicOf(header: string | undefined): { readonly username: string; readonly password: string } | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** The program of a User-Agent header, for the list of app passwords: `rclone` of `rclone/v1.60.1`. */
export function programOf(userAgent: string | undefined, protocol: string): string {
  const [, name = ''] = /^([\w .+-]{1,40})/.exec(userAgent ?? '') ?? [];
  return name.trim() === '' ? protocol : `${name.trim()}, ${protocol}`;
}
