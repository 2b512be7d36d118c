import mime from 'mime';

const unknown = 'application/octet-stream';

/** Types of extensions looked up so far, bounded as names may end in anything. */
const byExtension = new Map<string, string>();
const mostExtensions = 1000;

/** A media type with its parameters, in letters that a header can carry (RFC 9110 §8.3.1). */
const wellFormed = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(?:;[\t\x20-\x7e]*)?$/;

/** What stores say of bytes that nobody has called anything (RFC 2046, section 4.5.1; the second is Amazon's): no more than nothing. */
const untold = new Set([unknown, 'binary/octet-stream']);

/**
 * The media type of a file: what the source says, else what its extension means. Sources hand on what whoever wrote the file has called it; what
 * is no media type counts as nothing, because no answer could be sent with it.
 */
export function mediaTypeOf(name: string, told?: string): string {
  if (told !== undefined && !untold.has(told.toLowerCase()) && wellFormed.test(told)) return told;
  // A name without a dot is looked up as a whole, as `mime` does it.
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const known = byExtension.get(extension);
  if (known !== undefined) return known;
  const type = mime.getType(extension) ?? unknown;
  if (byExtension.size >= mostExtensions) byExtension.clear();
  byExtension.set(extension, type);
  return type;
}

/** Formats that browsers show without running anything in them. */
const pictures = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
]);

/**
 * The type under which a file may be shown inside the browser, or undefined for one that must be saved instead: whatever could act as a page
 * of ours (HTML, SVG, XML, PDF). Texts of all other kinds are shown as plain text.
 */
export function inlineTypeOf(mediaType: string): string | undefined {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  // Browsers take every type that ends in +xml for a document.
  if (/html|xml|svg/.test(type)) return undefined;
  if (pictures.has(type) || /^(?:audio|video)\/[\w.+-]+$/.test(type)) return type;
  return type.startsWith('text/') || type === 'application/json' ? 'text/plain; charset=utf-8' : undefined;
}

/** Formats that Sheaf makes small pictures of. */
const pictured = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff', 'image/heic', 'image/heif']);

/** Whether Sheaf can make a small picture of a file of that type. */
export const canBePictured = (mediaType: string): boolean => pictured.has(mediaType.split(';')[0]?.trim().toLowerCase() ?? '');
