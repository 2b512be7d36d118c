import mime from 'mime';

const unknown = 'application/octet-stream';

/** Cache of types by extension, bounded because names may end in anything. */
const byExtension = new Map<string, string>();
const mostExtensions = 1000;

/** A media type with parameters, in characters that a header can carry (RFC 9110 §8.3.1). */
const wellFormed = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(?:;[\t\x20-\x7e]*)?$/;

/** Types that stores use for unknown content (RFC 2046, section 4.5.1; the second is Amazon's): treated as none. */
const untold = new Set([unknown, 'binary/octet-stream']);

/**
 * The media type of a file: the source's, else by its extension. Sources pass on what writers have declared; an invalid media type counts as none,
 * because no answer could be sent with it.
 */
export function mediaTypeOf(name: string, told?: string): string {
  if (told !== undefined && !untold.has(told.toLowerCase()) && wellFormed.test(told)) return told;
  // A name without a dot is looked up as a whole, as `mime` does.
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const known = byExtension.get(extension);
  if (known !== undefined) return known;
  const type = mime.getType(extension) ?? unknown;
  if (byExtension.size >= mostExtensions) byExtension.clear();
  byExtension.set(extension, type);
  return type;
}

/** Formats that browsers show without running scripts. */
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
 * The type for showing a file in the browser, or undefined for one that must be saved: anything that could act as a page of our origin (HTML, SVG,
 * XML, PDF). Other text types are shown as plain text.
 */
export function inlineTypeOf(mediaType: string): string | undefined {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  // Browsers treat every type that ends in +xml as a document.
  if (/html|xml|svg/.test(type)) return undefined;
  if (pictures.has(type) || /^(?:audio|video)\/[\w.+-]+$/.test(type)) return type;
  return type.startsWith('text/') || type === 'application/json' ? 'text/plain; charset=utf-8' : undefined;
}

/** Formats of which Sheaf makes thumbnails. */
const pictured = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff', 'image/heic', 'image/heif']);

/** Whether Sheaf can make a thumbnail of a file of that type. */
export const canBePictured = (mediaType: string): boolean => pictured.has(mediaType.split(';')[0]?.trim().toLowerCase() ?? '');
