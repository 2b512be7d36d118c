import { type Item, defaultNewFolderName } from '@sheaf/contract';
import { useMutation } from '@tanstack/react-query';
import { addFolderErrorText, deleteErrorText, renameErrorText } from '#/features/browse/error-texts.ts';
import type { Listing } from '#/features/browse/listing/listing.ts';
import { changesAs } from '#/features/browse/listing/queries.ts';
import { useMember } from '#/features/browse/member.ts';
import { putText } from '#/lib/files/editing.ts';
import { itemCount } from '#/lib/format.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { inParallel } from '#/lib/in-parallel.ts';
import { newUndoId } from '#/lib/undoing.ts';
import { notifyError } from '#/ui/feedback/notify.ts';
import { offerUndo } from './undo.ts';

/** Concurrent deletions. */
const atOnce = 4;

/** A row that is being created or renamed: rows are held until `release`; `onWritten` receives the resulting item. */
interface Writing {
  readonly item: Item;
  readonly release: () => void;
  readonly onWritten: (written: Item) => void;
  /** Called with the reason when a name is refused; returns whether the reason is shown at the field. */
  readonly onRefused?: (message: string) => boolean;
}

/** Rows that are being deleted; they stay away until `release`. */
interface Removing {
  readonly items: readonly Item[];
  /** Whether they are not kept in a hidden bin. */
  readonly permanently: boolean;
  readonly release: () => void;
}

/** Number of folders being created: several may be. */
let making = 0;

/** Changes to a folder's items. Each is shown at once; a refused one is reverted and reported. */
export function useChanges(folderUri: string, listing: Listing) {
  const { makeFolder, renameItem, deleteItem } = changesAs(useMember());
  const written = (now: Item, { item, onWritten }: Writing): void => {
    listing.replaceRow(item.linkUri, now);
    onWritten(now);
  };
  const offerRename = (item: Item, { undoId, name }: Awaited<ReturnType<typeof renameItem>>, isAgain = false): void => {
    if (undoId === undefined) return;
    const again = async (): Promise<void> => {
      try {
        offerRename(item, await renameItem(item.linkUri, name), true);
      } catch (error) {
        notifyError(renameErrorText(item.name, error));
      }
      listing.reload();
    };
    offerUndo(`Renamed “${item.name}” to “${name}”`, { undoId, onUndone: listing.reload, again }, isAgain);
  };
  async function removeAll(items: readonly Item[], permanently: boolean, isAgain = false): Promise<void> {
    const undoId = newUndoId();
    let undoable = 0;
    await inParallel(items, atOnce, async ({ name, linkUri }) => {
      try {
        if (await deleteItem(linkUri, undoId, permanently)) undoable++;
      } catch (error) {
        notifyError(deleteErrorText(name, error));
      }
    });
    if (undoable === 0) return;
    const [only] = items;
    const what = items.length === 1 && only ? `“${only.name}”` : itemCount(undoable);
    const again = async (): Promise<void> => {
      await removeAll(items, false, true);
      listing.reload();
    };
    offerUndo(`Deleted ${what}`, { undoId, onUndone: listing.reload, again }, isAgain);
  }
  // Callbacks here run for every call; those given to `mutate` only for the last one.
  const adding = useMutation({
    mutationFn: ({ item }: Writing) =>
      item.fileType === 'FOLDER' ? makeFolder(folderUri, item.name, 'rename') : putText({ parentLinkUri: folderUri, name: item.name }, ''),
    onSuccess: written,
    onError: (error, { item }) => notifyError(item.fileType === 'FOLDER' ? addFolderErrorText(error) : errorText(error)),
    onSettled: (_made, _error, { release }) => release(),
  });
  const renaming = useMutation({
    mutationFn: ({ item, name }: Writing & { readonly name: string }) => renameItem(item.linkUri, name),
    onError: (error, { item, release, onRefused }) => {
      listing.replaceRow(item.linkUri, item);
      release();
      const message = renameErrorText(item.name, error);
      if (onRefused?.(message) !== true) notifyError(message);
    },
    onSuccess: (renamed, writing) => {
      written(renamed, writing);
      offerRename(writing.item, renamed);
    },
    onSettled: (_renamed, _error, { release }) => release(),
  });
  const removing = useMutation({
    mutationFn: ({ items, permanently }: Removing) => removeAll(items, permanently),
    onSettled: (_removed, _error, { release }) => release(),
  });

  /** Creates an item, numbered if its name is taken. It stays the first row until the listing is reloaded. */
  const add = (name: string, fileType: Item['fileType'], onWritten: (made: Item) => void): void => {
    const item: Item = { name, disambiguatedName: name, linkUri: `being-made-${(making += 1)}`, fileType };
    const release = listing.hold();
    listing.insertFirst(item);
    adding.mutate({ item, release, onWritten });
  };
  return {
    /** Creates "New Folder" and passes it to `onWritten`. */
    addFolder: (onWritten: (made: Item) => void): void => add(defaultNewFolderName, 'FOLDER', onWritten),
    /** Creates an empty text file and passes it to `onWritten`. */
    addText: (onWritten: (made: Item) => void): void => add('New text file.txt', 'FILE', onWritten),
    /** Renames unless the name is empty or unchanged; `release` ends the hold. */
    rename(item: Item, name: string, { release, onWritten, onRefused = () => false }: Omit<Writing, 'item'>): void {
      if (name === '' || name === item.name) return release();
      listing.replaceRow(item.linkUri, { ...item, name });
      renaming.mutate({ item, name, release, onWritten, onRefused });
    },
    remove(items: readonly Item[], permanently: boolean): void {
      listing.removeRows(new Set(items.map(({ linkUri }) => linkUri)));
      // Until all are deleted, events about the others would show them again.
      removing.mutate({ items, permanently, release: listing.hold() });
    },
  };
}
