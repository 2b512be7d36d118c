import { type Item, getMore, parseLinkUri, remoteUpdate } from '@sheaf/contract';
import { clearSize } from '@sheaf/vault';
import { queryOptions } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';
import { askWorker } from '../crypt/client.ts';

/** An item of an open vault under its clear name. */
export interface ClearItem {
  readonly item: Item;
  readonly name: string;
  readonly isFolder: boolean;
  /** Bytes of the clear file; undefined if its size is not that of an encrypted file. */
  readonly size: number | undefined;
}

export interface ClearFolder {
  readonly items: readonly ClearItem[];
  /** Names that do not belong to the vault, as the storage has them. */
  readonly foreign: readonly string[];
  /** Clear names of the folders from below the vault to this one. */
  readonly path: readonly string[];
}

const pageSize = 1000;
const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The contents of a folder, with names opened by the worker. They stay in this page's memory until the vault is locked. */
export const clearFolder = (vaultId: string, rootUri: string, linkUri: string) =>
  queryOptions({
    queryKey: ['vault', vaultId, linkUri],
    queryFn: async ({ signal }): Promise<ClearFolder> => {
      const { items, hasMore } = await send(
        remoteUpdate,
        { linkUri, sort: 'name', order: 'asc', fresh: true, refresh: true, limit: pageSize },
        signal,
      );
      const all = [...items];
      for (let more = hasMore; more;) {
        const page = await send(getMore, { linkUri, sort: 'name', order: 'asc', offset: all.length, limit: pageSize }, signal);
        all.push(...page.items);
        more = page.hasMore && page.items.length > 0;
      }
      const stored = all.map(({ name, fileType }) => ({ name, isFolder: fileType === 'FOLDER' }));
      const above = foldersBelow(rootUri, linkUri);
      const [names, path] = await Promise.all([
        askWorker('openNames', { vaultId, names: stored }),
        askWorker('openNames', { vaultId, names: above.map((name) => ({ name, isFolder: true })) }),
      ]);
      const rows = all.map((item, index) => ({ item, name: names[index], isFolder: item.fileType === 'FOLDER' }));
      return {
        items: rows
          .flatMap(({ name, ...row }) =>
            name === undefined ? [] : [{ ...row, name, size: row.item.size === undefined ? undefined : clearSize(row.item.size) }],
          )
          .sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || order.compare(a.name, b.name)),
        foreign: rows.flatMap(({ name, item }) => (name === undefined ? [item.name] : [])),
        path: path.map((name, index) => name ?? above[index] ?? ''),
      };
    },
    staleTime: 0,
    gcTime: 60_000,
  });

/** Names of the folders between the vault and one of its folders, as the storage has them. */
function foldersBelow(rootUri: string, linkUri: string): string[] {
  const namesOf = (uri: string): string[] => (parseLinkUri(uri)?.path ?? '/').split('/').filter((name) => name !== '');
  return namesOf(linkUri).slice(namesOf(rootUri).length);
}
