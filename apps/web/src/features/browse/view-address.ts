import { type SortKey, sortKeys } from '@sheaf/contract';
import type { Area } from './paths.ts';

/** The view of a folder, all of it in the address. */
export interface FolderView {
  readonly sort: SortKey;
  readonly order: 'asc' | 'desc';
  readonly filter: string;
  readonly layout: 'list' | 'grid' | 'gallery';
}

const defaults = {
  browse: 'list',
  gallery: 'gallery',
  browseorg: 'list',
  browsegalleryorg: 'gallery',
  'preview/list': 'list',
  'preview/gallery': 'gallery',
} as const satisfies Record<Area, FolderView['layout']>;
const layouts = ['list', 'grid', 'gallery'] as const;

/** The stored part of a view, unchecked. */
type Remembered = Partial<Record<string, unknown>>;

/** The view of an address; missing or invalid values come from the stored view, else from the default. */
export function viewOf(
  params: Readonly<Record<string, string | undefined>>,
  area: Area = 'browse',
  remembered: Remembered = {},
): FolderView {
  const pick = <T extends string>(known: readonly T[], otherwise: T, ...wanted: readonly unknown[]): T =>
    wanted.map((value) => known.find((one) => one === value)).find((value) => value !== undefined) ?? otherwise;
  return {
    sort: pick(sortKeys, 'name', params['sort'], remembered['sort']),
    order: pick(['asc', 'desc'], 'asc', params['order'], remembered['order']),
    filter: params['filter'] ?? '',
    layout: pick(layouts, defaults[area], params['view'], remembered['layout']),
  };
}

/** The query for this view, for the preview of the file of that name, and for a membership; defaults are left out. */
export function searchOf({ sort, order, filter, layout }: FolderView, area: Area = 'browse', preview?: string, memberOid?: string): string {
  const query = new URLSearchParams({
    ...(memberOid === undefined ? {} : { orgMembershipOid: memberOid }),
    ...(sort === 'name' ? {} : { sort }),
    ...(order === 'asc' ? {} : { order }),
    ...(filter === '' ? {} : { filter }),
    ...(layout === defaults[area] ? {} : { view: layout }),
    ...(preview === undefined ? {} : { preview }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}
