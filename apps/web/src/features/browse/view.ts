import { useLocation } from '@tanstack/react-router';
import { useQueryParams, useRoute } from '#/lib/location.ts';
import { orgHome } from '#/lib/org-address.ts';
import { useGo } from '#/ui/PathLink.tsx';
import { useMember } from './member.ts';
import { type Area, browseHref } from './paths.ts';
import { type FolderView, searchOf, viewOf } from './view-address.ts';

const areas: Readonly<Record<string, Area>> = {
  browse: 'browse',
  gallery: 'gallery',
  browseOrg: 'browseorg',
  galleryOrg: 'browsegalleryorg',
  previewList: 'preview/list',
  previewGallery: 'preview/gallery',
};

/** Whether the current address shows files or pictures, and whether to look only. */
export const useArea = (): Area => areas[useRoute()?.route.name ?? ''] ?? 'browse';

/** Addresses of items in the area that is being looked at. */
export function usePlaceHref(): (names: readonly string[]) => string {
  const area = useArea();
  const memberOid = useMember();
  return (names) => browseHref(names, area, memberOid);
}

/** Where the way up ends: the page that lists the links. */
export function useTop(): { readonly name: string; readonly href: string } {
  return useMember() === undefined ? { name: 'My links', href: '/account/mysheaf' } : { name: 'Organisation', href: orgHome };
}

/** The view of the current address, and how to change it without a step in the history. */
export function useView(): [FolderView, (change: Partial<FolderView>) => void] {
  const area = useArea();
  const memberOid = useMember();
  const view = viewOf(useQueryParams(), area);
  const path = useLocation({ select: ({ publicHref }) => publicHref.split(/[?#]/)[0] ?? '/browse' });
  const go = useGo();
  return [view, (change) => go(path + searchOf({ ...view, ...change }, area, undefined, memberOid), { replace: true })];
}
