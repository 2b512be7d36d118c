import { VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Item, ItemOperation, TransferKind } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { previewKindOf } from '#/lib/files/preview-kind.ts';
import type { PreviewProps } from '#/lib/files/previewing.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { late } from '#/lib/late.tsx';
import { noteUse, places, useTogglePin } from '#/lib/places.ts';
import { askToShare } from '#/lib/sharing/share-request.ts';
import { sheetTakesFiles } from '#/lib/sharing/share-sheet.ts';
import { sharedItems } from '#/lib/sharing/shares.ts';
import { askForTarget } from '#/lib/transfers/request.ts';
import { pageUploads } from '#/lib/uploads/page-uploads.ts';
import { useSettled } from '#/lib/use-settled.ts';
import { copyText } from '#/ui/copy-text.ts';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { useGo } from '#/ui/PathLink.tsx';
import { SkipLink } from '#/ui/SkipLink.tsx';
import { DeleteDialog } from './changes/DeleteDialog.tsx';
import { DropZone } from './changes/DropZone.tsx';
import { useUndoKeys } from './changes/undo.ts';
import { useChanges } from './changes/use-changes.ts';
import { useUploadInto } from './changes/use-upload-into.ts';
import { downloadItems } from './download.ts';
import { FolderContents, type Renaming, type RowActions } from './FolderContents.tsx';
import { InfoPlace } from './info/InfoPlace.tsx';
import { useInfoOpen } from './info/use-info-open.ts';
import { Freshness } from './listing/Freshness.tsx';
import { listingOf, noteResolved } from './listing/queries.ts';
import { useListing } from './listing/use-listing.ts';
import { useTrouble } from './listing/use-trouble.ts';
import { useMember } from './member.ts';
import { FolderMenu } from './menus/FolderMenu.tsx';
import { SelectionBar } from './menus/SelectionBar.tsx';
import { useContextMenu } from './menus/use-context-menu.ts';
import { Breadcrumb } from './navigation/Breadcrumb.tsx';
import { Toolbar } from './navigation/Toolbar.tsx';
import { usePreview } from './navigation/use-preview.ts';
import { useArea, usePlaceHref, useStoredView, useTop, useView } from './navigation/view.ts';
import { isReadOnly } from './paths.ts';
import { selectAll } from './selection/select-all.ts';
import { type Selection, amongThese, choose, noSelection, withReplaced } from './selection/selection.ts';
import { useCursorItem } from './selection/use-cursor-item.ts';
import { useFolderKeys } from './selection/use-folder-keys.ts';
import { useHands } from './selection/use-hands.ts';
import { useListFocus } from './selection/use-list-focus.ts';
import { sendItem } from './send.ts';
import { Arriving } from './transfers/Arriving.tsx';
import { DropHint } from './transfers/DropHint.tsx';
import { PasteBar } from './transfers/PasteBar.tsx';
import { useArrivals } from './transfers/use-arrivals.ts';
import { usePaste } from './transfers/use-paste.ts';
import { useRowDrag } from './transfers/use-row-drag.ts';
import type { FolderView } from './view-address.ts';
import classes from './browse.module.css';

type Props = {
  names: readonly string[];
  folder: Item;
  ancestors: readonly Item[];
  /** Renders the preview of a file. */
  Preview: ComponentType<PreviewProps>;
  /** The file that the address itself names. */
  file?: Item;
};

const FromWebDialog = late(() => import('./changes/FromWebDialog.tsx').then((loaded) => loaded.FromWebDialog), null, 'overlay');
const onlyReading: ReadonlySet<ItemOperation> = new Set(['list', 'read']);

/** A folder: its path, toolbar and rows. */
export function Folder({ names, folder, ancestors, Preview, file }: Props) {
  const [view, setView] = useView(names);
  const storedView = useStoredView();
  const hrefOf = usePlaceHref();
  const area = useArea();
  const top = useTop();
  const memberOid = useMember();
  const { listing, state: full } = useListing(folder.linkUri, view);
  const state = isReadOnly(area) ? { ...full, can: onlyReading } : full;
  const [selected, setSelection] = useState<Selection>(noSelection);
  // Deselects items that no longer exist.
  const selection = amongThese(selected, listing.allRows());
  const [renaming, setRenaming] = useState<Renaming>();
  const field = useRef<Renaming>(undefined);
  useEffect(() => void (field.current = renaming), [renaming]);
  const [isDeleting, deleting] = useDisclosure();
  const [isFromWeb, fromWeb] = useDisclosure();
  const grid = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);
  const preview = usePreview({
    names,
    folder,
    ancestors,
    listing,
    state,
    view,
    file,
    onSeen: (index) => setSelection((now) => ({ ...now, cursor: index })),
  });
  const go = useGo();
  const changes = useChanges(folder.linkUri, listing);
  const uploadInto = useUploadInto({ linkUri: folder.linkUri, names, onFolders: () => listing.reload() });
  const path = names.join('/');
  const chosen = [...selection.chosen.values()];
  // A single item as its row is now: it may have changed since it was chosen.
  const inDetail = chosen.length === 1 ? chosen.map((item) => listing.rowAt(listing.indexOf(item.linkUri)) ?? item) : chosen;
  const { linkUri: folderUri, fileType: folderType } = folder;
  useEffect(() => {
    if (!isReadOnly(area)) noteUse({ linkUri: folderUri, fileType: folderType });
  }, [folderUri, folderType, area]);
  useTrouble(path, state.status === 'failed' ? state.error : undefined);

  useEffect(() => pageUploads.onStored((folderUri) => folderUri === folder.linkUri && listing.reload()), [folder.linkUri, listing]);

  const arriving = useArrivals(folder.linkUri, listing);
  const { drag, aim } = useRowDrag({ can: state.can, chosen });
  const { clipping, paste, clip, clear } = usePaste({
    folderUri: folder.linkUri,
    can: state.can,
    current: () => {
      const under = listing.rowAt(selection.cursor);
      return chosen.length > 0 || !under ? chosen : [under];
    },
  });
  const cut = new Set(clipping?.kind === 'move' ? clipping.linkUris : []);
  const transfer = (kind: TransferKind, items: readonly Item[]): void =>
    askForTarget({ kind, items, from: folder.name, fromUri: folder.linkUri });

  const open = (item: Item): void => {
    if (item.fileType !== 'FOLDER') {
      if (!previewKindOf(item)) return downloadItems([item]);
      if (!isReadOnly(area)) noteUse(item);
      return preview.open(item);
    }
    const below = [...names, item.disambiguatedName];
    noteResolved(below, item, [...ancestors, folder], memberOid);
    listingOf(item.linkUri, storedView(below), memberOid).begin();
    go(hrefOf(below));
  };
  const share = ([first, ...others]: readonly Item[]): void => {
    if (!first) return;
    const { linkUri, name, fileType } = first;
    askToShare({ linkUri, path: `${path}/${name}`, fileType, more: others.map((item) => item.linkUri) });
  };
  const changeView = (change: Partial<FolderView>): void => {
    // Items hidden by a new filter must not be deleted unseen.
    if (change.filter !== undefined) setSelection(noSelection);
    setView(change);
  };
  const focusList = (): void => grid.current?.focus();
  const isLooking = preview.shown !== undefined;
  const revealed = useListFocus({
    grid,
    names,
    listing,
    state,
    isBusy: isLooking,
    onCursor: (index) => setSelection((now) => ({ ...now, cursor: index })),
  });
  useUndoKeys(isLooking || isDeleting || isReadOnly(area));
  const wasLooking = useRef(false);
  useEffect(() => {
    if (wasLooking.current && !isLooking) grid.current?.focus();
    wasLooking.current = isLooking;
  }, [isLooking]);
  const release = useRef<() => void>(undefined);
  // A new folder or order has no hold yet.
  useEffect(() => () => void (release.current = undefined), [listing]);
  const rename = (linkUri: string): void => {
    release.current ??= listing.hold();
    setRenaming({ linkUri });
  };
  const endRename = (item: Item, name = item.name, isLeft = false): void => {
    const held = release.current ?? listing.hold();
    release.current = undefined;
    setRenaming(undefined);
    if (!isLeft) focusList();
    changes.rename(item, name, {
      release: held,
      onRefused: (reason) => {
        // Keeps a field that was opened meanwhile.
        if (field.current || isLeft || !section.current?.isConnected || document.querySelector('[role=dialog]')) return false;
        release.current ??= listing.hold();
        setRenaming({ linkUri: item.linkUri, refused: { name, reason } });
        return true;
      },
      onWritten: (renamed) => setSelection((now) => withReplaced(now, item.linkUri, renamed)),
    });
  };
  const renameMade = (made: Item): void => {
    setSelection({ chosen: new Map([[made.linkUri, made]]), cursor: 0, anchor: 0 });
    if (state.can.has('rename')) rename(made.linkUri);
  };
  const addFolder = (): void => changes.addFolder(renameMade);
  const addText = (): void => changes.addText(renameMade);
  const removeChosen = (permanently: boolean): void => {
    deleting.close();
    setSelection({ ...noSelection, cursor: selection.cursor });
    focusList();
    changes.remove(chosen, permanently);
  };

  const copyAddress = (href: string): void =>
    void copyText(new URL(href, location.href).href).then((isCopied) =>
      isCopied ? notifyDone('The link address is copied') : notifyError('The link address could not be copied'),
    );
  const togglePin = useTogglePin((error) => notifyError(errorText(error)));
  const pins = useQuery({ ...places, enabled: !isReadOnly(area) }).data?.pins;
  const isSettled = useSettled();
  const shared = useQuery({ ...sharedItems(folder.linkUri), enabled: isSettled && !isReadOnly(area) }).data;
  const info = useInfoOpen();
  const actions: RowActions = {
    info: info.open,
    open,
    look: (item) => item.fileType !== 'FOLDER' && preview.open(item),
    openTab: (item) => void window.open(hrefOf([...names, item.disambiguatedName]), '_blank', 'noopener'),
    copyAddress: (item) => copyAddress(hrefOf([...names, item.disambiguatedName])),
    clip,
    isPinned: ({ linkUri }) => pins?.some((pin) => pin.linkUri === linkUri) === true,
    togglePin,
    up: () => go(names.length > 1 ? hrefOf(names.slice(0, -1)) : top.href),
    download: downloadItems,
    send: sheetTakesFiles() ? (item) => void sendItem(item) : undefined,
    share,
    transfer,
    rename,
    endRename,
    remove: deleting.open,
  };
  useFolderKeys({
    onInfo: info.toggle,
    onUp: actions.up,
    onAddFolder: state.can.has('createFolder') && state.status === 'ready' ? addFolder : undefined,
  });
  const menu = useContextMenu({
    cursor: selection.cursor,
    isOff: isReadOnly(area),
    onOpen: (index) => {
      const item = index === undefined ? undefined : listing.rowAt(index);
      // The menu is about all selected items when it is asked for on one of them.
      if (index === undefined || !item) setSelection((now) => ({ ...noSelection, cursor: now.cursor }));
      else if (!selection.chosen.has(item.linkUri)) setSelection((now) => choose(now, index, 'only', listing.rowAt));
    },
  });
  useHands({ area: section, listing, isBusy: menu.asked !== undefined || isDeleting });
  useCursorItem({ listing, selection, onMove: setSelection });
  return (
    <DropZone name={folder.name} isOpen={state.can.has('write')} onDrop={uploadInto.dropped}>
      <div className={classes.beside}>
        <section
          className={classes.pane}
          aria-label={folder.name}
          ref={section}
          {...drag.target(folder)}
          data-drop={undefined}
          {...menu.handlers}
        >
          <SkipLink
            href="#files"
            onClick={(event) => {
              event.preventDefault();
              focusList();
            }}
          >
            Skip to the files
          </SkipLink>
          <VisuallyHidden component="h1">{folder.name}</VisuallyHidden>
          <Breadcrumb names={names} items={[...ancestors, folder]} onRows={drag.target}>
            <Arriving transfers={arriving} />
            <Freshness state={state} onRefresh={listing.refresh} />
          </Breadcrumb>
          <Toolbar
            view={view}
            onView={changeView}
            state={state}
            onAddFolder={addFolder}
            onFiles={uploadInto.chosen}
            onFromWeb={fromWeb.open}
            onAddText={addText}
            isInfoOpen={info.isOpen}
            onInfo={info.toggle}
          />
          <FolderContents
            grid={grid}
            name={folder.name}
            folderUri={folder.linkUri}
            linkName={names[0] ?? ''}
            listing={listing}
            state={state}
            view={view}
            onView={changeView}
            selection={selection}
            onSelect={setSelection}
            renaming={renaming}
            hrefOf={(name) => hrefOf([...names, name])}
            revealed={revealed}
            isReadOnly={isReadOnly(area)}
            drag={drag}
            isCut={(linkUri) => cut.has(linkUri)}
            sharedBy={(linkUri) => shared?.get(linkUri)}
            actions={actions}
          />
          {chosen.length > 0 && (
            <SelectionBar
              items={chosen}
              can={state.can}
              actions={actions}
              onClear={() => {
                setSelection({ ...noSelection, cursor: selection.cursor });
                focusList();
              }}
            />
          )}
          {clipping && !isReadOnly(area) && <PasteBar clipping={clipping} onPaste={paste} onClear={clear} isRaised={chosen.length > 0} />}
          {aim && <DropHint aim={aim} />}
          {menu.asked && (
            <FolderMenu
              request={menu.asked}
              folderName={folder.name}
              items={chosen}
              can={state.can}
              rowActions={actions}
              ofFolder={{
                onAddFolder: state.can.has('createFolder') && state.status === 'ready' ? addFolder : undefined,
                onAddText: state.can.has('write') && state.status === 'ready' ? addText : undefined,
                onPaste: paste,
                onSelectAll:
                  state.count > 0
                    ? (): void => selectAll({ listing, count: state.count, onSelect: setSelection, name: folder.name })
                    : undefined,
                onUsage: () => go(withQuery('/usage', { linkUri: folder.linkUri })),
                onInfo: info.open,
                onCopyAddress: () => copyAddress(hrefOf(names)),
                onRefresh: listing.refresh,
              }}
              onClose={() => {
                menu.close();
                focusList();
              }}
            />
          )}
          {isFromWeb && <FromWebDialog folder={folder} onClose={fromWeb.close} />}
          {preview.shown && <Preview {...preview.shown} />}
          {isDeleting && (
            <DeleteDialog items={chosen} hasBin={state.hasBin} binDays={state.binDays} onConfirm={removeChosen} onClose={deleting.close} />
          )}
        </section>
        {info.isOpen && (
          <InfoPlace
            items={inDetail.length > 0 ? inDetail : [folder]}
            folderPath={chosen.length > 0 ? names : names.slice(0, -1)}
            canShare={state.can.has('share')}
            onShare={(item) => share([item])}
            onChanged={listing.reload}
            onClose={() => {
              info.close();
              focusList();
            }}
          />
        )}
      </div>
    </DropZone>
  );
}
