import { type Item, archiveDirectory, childUri, officeText } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { downloadHref } from '#/features/browse/download.ts';
import { browseErrorText } from '#/features/browse/error-texts.ts';
import type { Listing, ListingState } from '#/features/browse/listing/listing.ts';
import { noteResolved, resolved } from '#/features/browse/listing/queries.ts';
import { useMember } from '#/features/browse/member.ts';
import { browseHref, isReadOnly } from '#/features/browse/paths.ts';
import { type FolderView, searchOf } from '#/features/browse/view-address.ts';
import { previewKindOf } from '#/lib/files/preview-kind.ts';
import type { EditAccess, PreviewProps, Previewed } from '#/lib/files/previewing.ts';
import { send } from '#/lib/http/send.ts';
import { pageHistory } from '#/lib/navigation/history.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { useGo } from '#/ui/PathLink.tsx';
import { fileBeside, foldersFirst, picturesAround } from './files-beside.ts';
import { useArea } from './view.ts';

interface Options {
  readonly names: readonly string[];
  readonly folder: Item;
  readonly ancestors: readonly Item[];
  readonly listing: Listing;
  readonly state: ListingState;
  readonly view: FolderView;
  /** The file that the address itself names. */
  readonly file: Item | undefined;
  /** Called with the index of the current file. */
  readonly onSeen: (index: number) => void;
}

/** Rows loaded ahead of the current file. */
const ahead = 30;
/** Most rows searched for the file of an address, to find its neighbours. */
const farthest = 10_000;

const previewedOf = (item: Item, edit: EditAccess | undefined): Previewed => ({
  edit,
  key: item.linkUri,
  name: item.name,
  mimeType: item.mimeType,
  size: item.size,
  modified: item.modified,
  thumbnailUrl: item.thumbnailUrl,
  href: downloadHref(item),
  directory: (signal) => send(archiveDirectory, { linkUri: item.linkUri }, signal),
  officeText: (signal) => send(officeText, { linkUri: item.linkUri }, signal),
});

/** The preview over a folder: the file in the address, its neighbours, and how to move between them. */
export function usePreview({ names, folder, ancestors, listing, state, view, file, onSeen }: Options): {
  readonly open: (item: Item) => void;
  readonly shown: PreviewProps | undefined;
} {
  const area = useArea();
  const memberOid = useMember();
  const go = useGo();
  const wasOpenedHere = useRef(false);
  const inQuery = useQueryParams()['preview'];
  const name = file?.disambiguatedName ?? (isReadOnly(area) ? undefined : inQuery);
  const path = name === undefined ? names : [...names, name];
  const index = name === undefined ? -1 : listing.indexOf(childUri(folder.linkUri, name));
  // The file of an address may be far down in the folder, or hidden by the filter.
  const asked = useQuery({ ...resolved(path, memberOid), enabled: name !== undefined && index < 0 && !file });
  const item = name === undefined ? undefined : (listing.rowAt(index) ?? file ?? asked.data?.item);
  const isFile = item !== undefined && item.fileType !== 'FOLDER';
  const { count, status } = state;

  useEffect(() => {
    if (!isFile || status !== 'ready') return;
    const leaving = new AbortController();
    listing.loadUpTo(Math.min(count, index < 0 ? farthest : index + ahead), leaving.signal).catch((error: unknown) => {
      if (!leaving.signal.aborted) notifyError(browseErrorText(folder.name, error));
    });
    return () => leaving.abort();
  }, [isFile, status, listing, count, index, folder.name]);

  const canEdit = !isReadOnly(area) && state.can.has('read') && state.can.has('write');
  const edit = canEdit ? { parentLinkUri: folder.linkUri, onSaved: (): void => listing.reload() } : undefined;
  const previewed = (of: Item): Previewed => previewedOf(of, edit);
  const hrefOf = (of: string | undefined): string =>
    isReadOnly(area)
      ? browseHref(of === undefined ? names : [...names, of], area) + searchOf(view, area)
      : browseHref(names, area) + searchOf(view, area, of, memberOid);
  const show = (next: Item, replace: boolean): void => {
    noteResolved([...names, next.disambiguatedName], next, [...ancestors, folder], memberOid);
    go(hrefOf(next.disambiguatedName), { replace });
  };
  const open = (next: Item): void => {
    wasOpenedHere.current = true;
    show(next, false);
  };
  if (!isFile) return { open, shown: undefined };

  const beside = (step: 1 | -1): Previewed | undefined => {
    const next = index < 0 ? undefined : fileBeside(listing.rowAt, index, step, count);
    return next && previewed(next);
  };
  const folders = foldersFirst(listing.rowAt, count);
  return {
    open,
    shown: {
      file: previewed(item),
      place: index < 0 ? undefined : { number: index - folders + 1, count: count - folders },
      previous: beside(-1),
      next: beside(1),
      around: previewKindOf(item) === 'image' && index >= 0 ? picturesAround(listing.rowAt, index, count).map(previewed) : [],
      folder: names.join(' / '),
      onGo: ({ key }) => {
        const at = listing.indexOf(key);
        const next = listing.rowAt(at);
        if (!next) return;
        onSeen(at);
        show(next, true);
      },
      onClose: () => {
        if (wasOpenedHere.current) pageHistory().back();
        else go(hrefOf(undefined), { replace: true });
        wasOpenedHere.current = false;
      },
    },
  };
}
