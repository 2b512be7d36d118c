import { type Item, type PublicItem, publicPath, thumbnailWeblink } from '@sheaf/contract';

/** An item as visitors see it: with the path below the share, and nothing about where the owner stores it. */
export function publicItemOf(
  { name, fileType, mimeType, modified, size, thumbnailUrl }: Item,
  weblinkId: string,
  path: string,
): PublicItem {
  return {
    name,
    path,
    fileType,
    ...(mimeType !== undefined && { mimeType }),
    ...(modified !== undefined && { modified }),
    ...(size !== undefined && { size }),
    ...(thumbnailUrl !== undefined && { thumbnailUrl: publicThumbnailUrl(thumbnailUrl, weblinkId, path) }),
  };
}

/** Items of the folder at that path. */
export const publicItemsOf = (items: readonly Item[], weblinkId: string, folderPath: string): PublicItem[] =>
  items.map((item) => publicItemOf(item, weblinkId, publicPath(folderPath, item.name)));

/** Keeps the picture's version, so that the visitor's browser may cache it too. */
function publicThumbnailUrl(url: string, weblinkId: string, path: string): string {
  const version = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('v') ?? '';
  return `${thumbnailWeblink.path}?${new URLSearchParams({ weblinkId, path, v: version }).toString()}`;
}
