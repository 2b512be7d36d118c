import { type SortKey, sortKeys } from '@sheaf/contract';
import type { Area } from './paths.ts';

/** How a folder is looked at; all of it stands in the address. */
export interface FolderView {
  readonly sort: SortKey;
  readonly order: 'asc' | 'desc';
  readonly filter: string;
  readonly layout: 'list' | 'grid';
}

const layouts = { browse: 'list', gallery: 'grid' } as const satisfies Record<Area, FolderView['layout']>;

/** The view that an address asks for; what it does not say, or says wrongly, is the default. */
export function viewOf(params: Readonly<Record<string, string | undefined>>, area: Area = 'browse'): FolderView {
  return {
    sort: sortKeys.find((key) => key === params['sort']) ?? 'name',
    order: params['order'] === 'desc' ? 'desc' : 'asc',
    filter: params['filter'] ?? '',
    layout: params['view'] === 'grid' || params['view'] === 'list' ? params['view'] : layouts[area],
  };
}

/** The query of an address that asks for this view; defaults are left out. */
export function searchOf({ sort, order, filter, layout }: FolderView, area: Area = 'browse'): string {
  const query = new URLSearchParams({
    ...(sort === 'name' ? {} : { sort }),
    ...(order === 'asc' ? {} : { order }),
    ...(filter === '' ? {} : { filter }),
    ...(layout === layouts[area] ? {} : { view: layout }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}
