import { Button } from '@mantine/core';
import type { CopyKind, Item, SharedBy, TransferKind } from '@sheaf/contract';
import { IconFilterOff, IconFolderOpen } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { EmptyState } from '#/ui/feedback/StatePanel.tsx';
import type { Listing, ListingState } from './listing/listing.ts';
import { Refused } from './listing/Refused.tsx';
import { FileGrid } from './rows/FileGrid.tsx';
import { FileList } from './rows/FileList.tsx';
import { JustifiedGrid } from './rows/JustifiedGrid.tsx';
import { WaitingRows } from './rows/WaitingRows.tsx';
import type { Selection } from './selection/selection.ts';
import type { RowDrag } from './transfers/use-row-drag.ts';
import type { FolderView } from './view-address.ts';

/** Actions on rows, by mouse, touch or keyboard. */
export interface RowActions {
  readonly open: (item: Item) => void;
  /** Shows the item without leaving the list. */
  readonly look: (item: Item) => void;
  /** Opens the item in a new tab of the browser. */
  readonly openTab: (item: Item) => void;
  /** Copies the item's address in Sheaf. */
  readonly copyAddress: (item: Item) => void;
  /** Whether the item is pinned to the side menu. */
  readonly isPinned: (item: Item) => boolean;
  readonly togglePin: (item: Item, isPinned: boolean) => void;
  /** Shows the item's details beside the list. */
  readonly info: () => void;
  /** Keeps the items to be pasted elsewhere. */
  readonly clip: (kind: CopyKind, items: readonly Item[]) => void;
  readonly up: () => void;
  readonly download: (items: readonly Item[]) => void;
  /** Hands a file to the share sheet of the system; undefined where there is none. */
  readonly send: ((item: Item) => void) | undefined;
  /** Opens the sharing dialog. */
  readonly share: (items: readonly Item[]) => void;
  /** Opens the dialog that asks for the target of a copy or move. */
  readonly transfer: (kind: TransferKind, items: readonly Item[]) => void;
  /** Starts to rename the item with that linkUri. */
  readonly rename: (linkUri: string) => void;
  /** Ends renaming; without a name nothing changes. Moves the focus to the list unless the user has moved it elsewhere. */
  readonly endRename: (item: Item, name: string | undefined, isLeft: boolean) => void;
  /** Asks whether to delete the selected items. */
  readonly remove: () => void;
}

/** An item that is being renamed. */
export interface Renaming {
  readonly linkUri: string;
  /** A name that was refused, and why. */
  readonly refused?: { readonly name: string; readonly reason: string };
}

export interface FolderContentsProps {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly name: string;
  readonly folderUri: string;
  /** Name of the folder's link. */
  readonly linkName: string;
  readonly listing: Listing;
  readonly state: ListingState;
  readonly view: FolderView;
  readonly onView: (change: Partial<FolderView>) => void;
  readonly selection: Selection;
  readonly onSelect: (change: (now: Selection) => Selection) => void;
  readonly renaming: Renaming | undefined;
  /** Address of the item with that disambiguated name. */
  readonly hrefOf: (name: string) => string;
  /** The row to bring into view. */
  readonly revealed: number | undefined;
  readonly actions: RowActions;
  readonly drag: RowDrag;
  /** Whether the item was cut and not pasted yet. */
  readonly isCut: (linkUri: string) => boolean;
  /** How others can see the item; undefined where they cannot. */
  readonly sharedBy: (linkUri: string) => readonly SharedBy[] | undefined;
  /** Rows have no menus, because nothing can be changed here. */
  readonly isReadOnly: boolean;
}

const layouts = { list: FileList, grid: FileGrid, gallery: JustifiedGrid } as const;

/** A folder's rows as list, grid or gallery, or the reason why there are none. */
export function FolderContents(props: FolderContentsProps) {
  const { state, listing, view, onView } = props;
  if (state.status === 'failed') {
    return <Refused linkName={props.linkName} error={state.error} onRetry={listing.refresh} />;
  }
  if (state.status === 'loading' || (state.count === 0 && state.stale)) return <WaitingRows />;
  if (state.count === 0 && view.filter !== '') {
    return (
      <EmptyState
        icon={<IconFilterOff size={24} stroke={1.5} />}
        title="No items match"
        actions={<Button onClick={() => onView({ filter: '' })}>Show everything</Button>}
      >
        {view.filter}
      </EmptyState>
    );
  }
  if (state.count === 0) {
    return (
      <EmptyState icon={<IconFolderOpen size={24} stroke={1.5} />} title="This folder is empty">
        {state.can.has('write') && 'Drop files or folders here, or choose Upload.'}
      </EmptyState>
    );
  }
  const Layout = layouts[view.layout];
  return <Layout {...props} />;
}
