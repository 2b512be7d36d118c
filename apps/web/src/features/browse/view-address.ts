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

/** The view that an address asks for; what it does not say, or says wrongly, is the default. */
export function viewOf(params: Readonly<Record<string, string | undefined>>, area: Area = 'browse'): FolderView {
  return {
    sort: sortKeys.find((key) => key === params['sort']) ?? 'name',
    order: params['order'] === 'desc' ? 'desc' : 'asc',
    filter: params['filter'] ?? '',
    layout: layouts.find((layout) => layout === params['view']) ?? defaults[area],
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
