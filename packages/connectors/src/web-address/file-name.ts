/** Most bytes of a name that is taken from an address: what most file systems store. */
const longest = 255;

/** The name of a file at an address: what the server says (RFC 6266), otherwise the last segment of the path, otherwise the host. */
export function fileNameAt(address: URL, disposition: string | undefined): string {
  const told = disposition === undefined ? undefined : namedIn(disposition);
  const names = [told, decoded(address.pathname.split('/').at(-1) ?? ''), address.hostname];
  return names.map((name) => plain(name ?? '')).find((name) => name !== '') ?? 'file';
}

/** `filename*` (RFC 8187, UTF-8) before `filename`, as a quoted text or a token. */
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

/** One segment of a path, without what would hide or move it: a server may name a file as it likes. */
function plain(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  // Control characters have no place in a name.
  const visible = [...last].filter((one) => (one.codePointAt(0) ?? 0) >= 0x20 && one !== '\u007f').join('');
  let kept = visible.replace(/^[. ]+/, '').trim();
  while (Buffer.byteLength(kept) > longest) kept = [...kept].slice(1).join('');
  return kept;
}
