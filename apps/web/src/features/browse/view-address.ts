import { type SortKey, sortKeys } from '@sheaf/contract';
import type { Area } from './paths.ts';

/** How a folder is looked at; all of it stands in the address. */
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

/** What is known of a folder's view apart from its address; as it comes from the browser's store, unchecked. */
type Remembered = Partial<Record<string, unknown>>;

/** The view that an address asks for; what it does not say, or says wrongly, is as remembered, or else the default. */
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

/** The query of an address that asks for this view, and for the preview of the file of that name, as that member of an organisation; defaults are left out. */
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
