/**
 * The Content-Disposition under which every browser saves the file by its own name (RFC 6266): an ASCII stand-in for old clients and the
 * name itself in UTF-8 (RFC 8187), which all current ones prefer.
 */
export function contentDisposition(type: 'attachment' | 'inline', name: string): string {
  // A % in the stand-in would be decoded by some browsers, a backslash or quote ends it.
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
