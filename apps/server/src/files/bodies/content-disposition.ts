/**
 * A Content-Disposition under which every browser saves the file by its name (RFC 6266): an ASCII fallback for old clients and the name in UTF-8 (RFC
 * 8187), which current ones prefer.
 */
export function contentDisposition(type: 'attachment' | 'inline', name: string): string {
  // Some browsers would decode a % in the fallback; a backslash or quote would end it.
  const ascii = name.toWellFormed().replace(/[^\u0020-\u007e]|["\\%]/gu, '_');
  return ascii === name ? `${type}; filename="${name}"` : `${type}; filename="${ascii}"; filename*=UTF-8''${encodeExtended(name)}`;
}

/** Percent-encodes all but the `attr-char`s of RFC 8187. */
function encodeExtended(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
