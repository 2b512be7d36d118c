import mime from 'mime';

const unknown = 'application/octet-stream';

/** The media type of a file: what the source says, else what its extension means. */
export const mediaTypeOf = (name: string, told?: string): string => told ?? mime.getType(name) ?? unknown;

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
  if (pictures.has(type) || /^(?:audio|video)\/[\w.+-]+$/.test(type)) return type;
  if (/html|xml|svg/.test(type)) return undefined;
  return type.startsWith('text/') || type === 'application/json' ? 'text/plain; charset=utf-8' : undefined;
}

/** Formats that Sheaf makes small pictures of. */
const pictured = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff', 'image/heic', 'image/heif']);

/** Whether Sheaf can make a small picture of a file of that type. */
export const canBePictured = (mediaType: string): boolean => pictured.has(mediaType.split(';')[0]?.trim().toLowerCase() ?? '');
