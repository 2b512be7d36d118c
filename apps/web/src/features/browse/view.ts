import { useLocation } from '@tanstack/react-router';
import { useQueryParams, useRoute } from '#/lib/location.ts';
import { useGo } from '#/ui/PathLink.tsx';
import { type Area, browseHref } from './paths.ts';
import { type FolderView, searchOf, viewOf } from './view-address.ts';

const areas: Readonly<Record<string, Area>> = {
  browse: 'browse',
  gallery: 'gallery',
  previewList: 'preview/list',
  previewGallery: 'preview/gallery',
};

/** Whether the current address shows files or pictures, and whether to look only. */
export const useArea = (): Area => areas[useRoute()?.route.name ?? ''] ?? 'browse';

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
