import type { Place } from '@sheaf/contract';
import type { Area } from '#/features/browse/paths.ts';

type HrefOf = (names: readonly string[], area?: Area, memberOid?: string) => string;

/** Address of a place: the folder, or the folder of a file with its preview. */
export function placeHref(
  { name, folder, isFolder, memberOid }: Pick<Place, 'name' | 'folder' | 'isFolder' | 'memberOid'>,
  browseHref: HrefOf,
): string {
  const area = memberOid === undefined ? 'browse' : 'browseorg';
  if (isFolder) return browseHref([...folder, name], area, memberOid);
  const href = browseHref(folder, area, memberOid);
  return `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams({ preview: name }).toString()}`;
}
