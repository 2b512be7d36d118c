import type { PublicItem } from '@sheaf/contract';

/** By what means a browser shows a file, if it can. */
export type Viewer = 'picture' | 'thumbnail' | 'video' | 'audio' | 'text' | 'none';

const pictures: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/svg+xml',
]);
const texts = /^(?:text\/.+|application\/(?:json|xml|javascript|x-sh|yaml|x-yaml|toml|sql|.+\+(?:json|xml)))$/;

/** How a file can be shown. Pictures that browsers do not know are shown by the picture that the server makes of them. */
export function viewerOf({ mimeType = '', thumbnailUrl }: Pick<PublicItem, 'mimeType' | 'thumbnailUrl'>): Viewer {
  const type = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (pictures.has(type)) return 'picture';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'audio';
  if (texts.test(type)) return 'text';
  return thumbnailUrl === undefined ? 'none' : 'thumbnail';
}
