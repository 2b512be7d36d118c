import { type Item, defaultNewFolderName } from '@sheaf/contract';
import { useMutation } from '@tanstack/react-query';
import { addFolderErrorText, deleteErrorText, renameErrorText } from '#/features/browse/error-texts.ts';
import type { Listing } from '#/features/browse/listing/listing.ts';
import { changesAs } from '#/features/browse/listing/queries.ts';
import { useMember } from '#/features/browse/member.ts';
import { inParallel } from '#/lib/in-parallel.ts';
import { notifyError } from '#/ui/feedback/notify.ts';

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
  // Callbacks here run for every call; those given to `mutate` only for the last one.
  const adding = useMutation({
    mutationFn: ({ item }: Writing) => makeFolder(folderUri, item.name, 'rename'),
    onSuccess: written,
    onError: (error) => notifyError(addFolderErrorText(error)),
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
    onSuccess: written,
    onSettled: (_renamed, _error, { release }) => release(),
  });
  const removing = useMutation({
    mutationFn: ({ items }: Removing) =>
      inParallel(items, atOnce, ({ name, linkUri }) =>
        deleteItem(linkUri).then(
          () => undefined,
          (error: unknown) => notifyError(deleteErrorText(name, error)),
        ),
      ),
    onSettled: (_removed, _error, { release }) => release(),
  });

  return {
    /** Creates "New Folder", numbered if taken, and passes it to `onWritten`. It stays the first row until the listing is reloaded. */
    addFolder(onWritten: (made: Item) => void): void {
      const item: Item = {
        name: defaultNewFolderName,
        disambiguatedName: defaultNewFolderName,
        linkUri: `being-made-${(making += 1)}`,
        fileType: 'FOLDER',
      };
      const release = listing.hold();
      listing.insertFirst(item);
      adding.mutate({ item, release, onWritten });
    },
    /** Renames unless the name is empty or unchanged; `release` ends the hold. */
    rename(item: Item, name: string, { release, onWritten, onRefused = () => false }: Omit<Writing, 'item'>): void {
      if (name === '' || name === item.name) return release();
      listing.replaceRow(item.linkUri, { ...item, name });
      renaming.mutate({ item, name, release, onWritten, onRefused });
    },
    remove(items: readonly Item[]): void {
      listing.removeRows(new Set(items.map(({ linkUri }) => linkUri)));
      // Until all are deleted, news of the others would show them again.
      removing.mutate({ items, release: listing.hold() });
    },
  };
}
