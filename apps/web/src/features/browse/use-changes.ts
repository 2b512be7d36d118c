import { type Item, defaultNewFolderName } from '@sheaf/contract';
import { useMutation } from '@tanstack/react-query';
import { notifyError } from '#/ui/notify.ts';
import { addFolderErrorText, deleteErrorText, renameErrorText } from './error-texts.ts';
import type { Listing } from './listing.ts';
import { useMember } from './member.ts';
import { changesAs } from './queries.ts';

/** How many items are deleted at a time. */
const atOnce = 4;

/** Changes to a folder's items. Each is shown at once; what the storage refuses is taken back and told. */
export function useChanges(folderUri: string, listing: Listing) {
  const { makeFolder, renameItem, deleteItem } = changesAs(useMember());
  const adding = useMutation({
    mutationFn: (placeholder: Item) => makeFolder(folderUri, placeholder.name, 'rename'),
    onError: (error) => {
      notifyError(addFolderErrorText(error));
      listing.reload();
    },
  });
  const renaming = useMutation({
    mutationFn: ({ item, name }: { item: Item; name: string }) => renameItem(item.linkUri, name),
    onError: (error, { item }) => notifyError(renameErrorText(item.name, error)),
    onSettled: () => listing.reload(),
  });
  const removing = useMutation({
    mutationFn: async (items: readonly Item[]) => {
      const waiting = [...items];
      const work = async (): Promise<void> => {
        for (let item = waiting.shift(); item; item = waiting.shift()) {
          const { name, linkUri } = item;
          await deleteItem(linkUri).catch((error: unknown) => notifyError(deleteErrorText(name, error)));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    },
    onSettled: () => listing.reload(),
  });

  return {
    /** Makes "New Folder", or the next free number of it, and gives it to `then`. It stays the first row until the listing is reloaded. */
    addFolder(then: (made: Item) => void): void {
      const placeholder: Item = {
        name: defaultNewFolderName,
        disambiguatedName: defaultNewFolderName,
        linkUri: 'being-made',
        fileType: 'FOLDER',
      };
      listing.hold();
      listing.insertFirst(placeholder);
      adding.mutate(placeholder, {
        onSuccess: (made) => {
          listing.replaceRow(placeholder.linkUri, made);
          then(made);
        },
      });
    },
    /** Renames unless the name is empty or the same. */
    rename(item: Item, name: string, then: (renamed: Item) => void): void {
      if (name === '' || name === item.name) return listing.reload();
      listing.replaceRow(item.linkUri, { ...item, name });
      renaming.mutate(
        { item, name },
        {
          onSuccess: (renamed) => {
            listing.replaceRow(item.linkUri, renamed);
            then(renamed);
          },
        },
      );
    },
    remove(items: readonly Item[]): void {
      listing.removeRows(new Set(items.map(({ linkUri }) => linkUri)));
      removing.mutate(items);
    },
  };
}
