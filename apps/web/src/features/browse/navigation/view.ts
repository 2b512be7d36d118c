import { useSyncExternalStore } from 'react';
import { useMember } from '#/features/browse/member.ts';
import { type Area, browseHref } from '#/features/browse/paths.ts';
import { type FolderView, searchOf, viewOf } from '#/features/browse/view-address.ts';
import { useHere, useQueryParams } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import { orgHome } from '#/lib/org-address.ts';
import { useSession } from '#/lib/session/session.ts';
import { useGo } from '#/ui/PathLink.tsx';
import { createRememberedViews, viewKey } from './remembered-views.ts';

const areas: Readonly<Record<string, Area>> = {
  browse: 'browse',
  gallery: 'gallery',
  browseOrg: 'browseorg',
  galleryOrg: 'browsegalleryorg',
  previewList: 'preview/list',
  previewGallery: 'preview/gallery',
};

/** The area of the current address: files or pictures, and whether read-only. */
export const useArea = (): Area => areas[useRoute()?.route.name ?? ''] ?? 'browse';

/** Addresses of items in the current area. */
export function usePlaceHref(): (names: readonly string[]) => string {
  const area = useArea();
  const memberOid = useMember();
  return (names) => browseHref(names, area, memberOid);
}

/** The top of the path: the page of links. */
export function useTop(): { readonly name: string; readonly href: string } {
  return useMember() === undefined ? { name: 'My links', href: '/account/mysheaf' } : { name: 'Organisation', href: orgHome };
}

const remembered = createRememberedViews(localStorage);

/** The view of a folder as stored in this browser, which is what opening it shows. */
export function useStoredView(): (names: readonly string[]) => FolderView {
  const area = useArea();
  const memberOid = useMember();
  const account = useSession()?.loginAccount;
  return (names) => viewOf({}, area, remembered.of(viewKey(account ?? '', area, names, memberOid)));
}

/** The view of a folder, and a setter that adds no history entry: from the address, else as stored in this browser. */
export function useView(names: readonly string[]): [FolderView, (change: Partial<FolderView>) => void] {
  const area = useArea();
  const memberOid = useMember();
  const account = useSession()?.loginAccount;
  const key = viewKey(account ?? '', area, names, memberOid);
  const kept = useSyncExternalStore(remembered.subscribe, () => remembered.of(key));
  const view = viewOf(useQueryParams(), area, kept);
  const path = useHere().split('?')[0] ?? '/browse';
  const go = useGo();
  const change = (wanted: Partial<FolderView>): void => {
    const next = { ...view, ...wanted };
    remembered.keep(key, next);
    go(path + searchOf(next, area, undefined, memberOid), { replace: true });
  };
  return [view, change];
}
