import { type SortKey, sortKeys } from '@sheaf/contract';
import { useLocation } from '@tanstack/react-router';
import { useQueryParams, useRoute } from '#/lib/location.ts';
import { useGo } from '#/ui/PathLink.tsx';
import { type Area, browseHref } from './paths.ts';

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

/** Whether the current address shows files or pictures. */
export const useArea = (): Area => (useRoute()?.route.name === 'gallery' ? 'gallery' : 'browse');

/** Addresses of items in the area that is being looked at. */
export function usePlaceHref(): (names: readonly string[]) => string {
  const area = useArea();
  return (names) => browseHref(names, area);
}

/** The view of the current address, and how to change it without a step in the history. */
export function useView(): [FolderView, (change: Partial<FolderView>) => void] {
  const area = useArea();
  const view = viewOf(useQueryParams(), area);
  const path = useLocation({ select: ({ publicHref }) => publicHref.split(/[?#]/)[0] ?? '/browse' });
  const go = useGo();
  return [view, (change) => go(path + searchOf({ ...view, ...change }, area), { replace: true })];
}
