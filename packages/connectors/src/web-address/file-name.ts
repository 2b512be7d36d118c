/** Maximum bytes of a name taken from an address: what most file systems can store. */
const longest = 255;

/**
 * Returns the name of the file at an address: the one that the server sends (RFC 6266), otherwise the path's last segment, otherwise the
 * host.
 */
export function fileNameAt(address: URL, disposition: string | undefined): string {
  const told = disposition === undefined ? undefined : namedIn(disposition);
  const names = [told, decoded(address.pathname.split('/').at(-1) ?? ''), address.hostname];
  return names.map((name) => plain(name ?? '')).find((name) => name !== '') ?? 'file';
}

/** Prefers `filename*` (RFC 8187, UTF-8) to `filename`, which is a quoted string or a token. */
function namedIn(disposition: string): string | undefined {
  const [, extended] = /(?:^|;)\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]*)/i.exec(disposition) ?? [];
  const wide = extended === undefined ? undefined : decoded(extended);
  if (wide !== undefined) return wide;
  const [, quoted, token] = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Returns a safe path segment, without characters that would hide the file or move it to another folder: the server chooses the name. */
function plain(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  // Removes control characters.
  const visible = [...last].filter((one) => (one.codePointAt(0) ?? 0) >= 0x20 && one !== '\u007f').join('');
  let kept = visible.replace(/^[. ]+/, '').trim();
  while (Buffer.byteLength(kept) > longest) kept = [...kept].slice(1).join('');
  return kept;
}
