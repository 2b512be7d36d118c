import { type SortKey, sortKeys } from '@sheaf/contract';
import { useLocation } from '@tanstack/react-router';
import { useQueryParams } from '#/lib/location.ts';
import { useGo } from '#/ui/PathLink.tsx';

/** How a folder is looked at; all of it stands in the address. */
export interface FolderView {
  readonly sort: SortKey;
  readonly order: 'asc' | 'desc';
  readonly filter: string;
  readonly layout: 'list' | 'grid';
}

/** The view that an address asks for; what it does not say, or says wrongly, is the default. */
export function viewOf(params: Readonly<Record<string, string | undefined>>): FolderView {
  return {
    sort: sortKeys.find((key) => key === params['sort']) ?? 'name',
    order: params['order'] === 'desc' ? 'desc' : 'asc',
    filter: params['filter'] ?? '',
    layout: params['view'] === 'grid' ? 'grid' : 'list',
  };
}

/** The query of an address that asks for this view; defaults are left out. */
export function searchOf({ sort, order, filter, layout }: FolderView): string {
  const query = new URLSearchParams({
    ...(sort === 'name' ? {} : { sort }),
    ...(order === 'asc' ? {} : { order }),
    ...(filter === '' ? {} : { filter }),
    ...(layout === 'list' ? {} : { view: layout }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}

/** The view of the current address, and how to change it without a step in the history. */
export function useView(): [FolderView, (change: Partial<FolderView>) => void] {
  const view = viewOf(useQueryParams());
  const path = useLocation({ select: ({ publicHref }) => publicHref.split(/[?#]/)[0] ?? '/browse' });
  const go = useGo();
  return [view, (change) => go(path + searchOf({ ...view, ...change }), { replace: true })];
}
