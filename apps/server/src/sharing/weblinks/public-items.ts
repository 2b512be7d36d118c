import { type Item, type PublicItem, type SortKey, foldName, publicPath, thumbnailWeblink } from '@sheaf/contract';

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

interface View {
  readonly offset: number;
  readonly limit: number;
  readonly sort: SortKey;
  readonly order: 'asc' | 'desc';
  readonly filter?: string;
}

const names = new Intl.Collator('en', { numeric: true });

/** A page of the items of a share of several, folders first. */
export function severalPage(
  all: readonly PublicItem[],
  { offset, limit, sort, order, filter = '' }: View,
): { items: PublicItem[]; total: number; hasMore: boolean } {
  const wanted = all.filter(({ name }) => foldName(name).includes(foldName(filter)));
  const byName = (a: PublicItem, b: PublicItem): number => names.compare(a.name, b.name);
  const by: Record<SortKey, (a: PublicItem, b: PublicItem) => number> = {
    name: byName,
    size: (a, b) => (a.size ?? 0) - (b.size ?? 0),
    modified: (a, b) => (a.modified ?? 0) - (b.modified ?? 0),
    type: (a, b) => names.compare(a.name.split('.').at(-1) ?? '', b.name.split('.').at(-1) ?? ''),
  };
  const way = order === 'asc' ? 1 : -1;
  const isFile = ({ fileType }: PublicItem): number => (fileType === 'FOLDER' ? 0 : 1);
  const sorted = wanted.toSorted((a, b) => isFile(a) - isFile(b) || way * by[sort](a, b) || byName(a, b));
  return { items: sorted.slice(offset, offset + limit), total: sorted.length, hasMore: offset + limit < sorted.length };
}
