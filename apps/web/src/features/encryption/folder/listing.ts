import { type Item, getMore, parentUri, parseLinkUri, remoteUpdate } from '@sheaf/contract';
import { type Manifest, clearSize, glanceAt, isShareFolderName, mergeParts, rootFolderId } from '@sheaf/vault';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';
import { logError } from '#/lib/log.ts';
import { askWorker } from '../crypt/client.ts';
import { type Place, knownPart, recordedHere } from './own-parts.ts';
import { type StoredPart, isPart, readParts } from './read-parts.ts';

/** An item of an open vault under its clear name. */
export interface ClearItem {
  readonly item: Item;
  readonly name: string;
  readonly isFolder: boolean;
  /** Size of the clear file, in bytes; undefined if the stored size is not one of an encrypted file. */
  readonly size: number | undefined;
}

export interface ClearFolder {
  readonly items: readonly ClearItem[];
  /** Stored names that do not belong to the vault. */
  readonly foreign: readonly string[];
  /** Clear names of the folders from below the vault to this one. */
  readonly path: readonly string[];
  /** The records of the folder, and the stored parts that hold them. */
  readonly manifest: Manifest;
  readonly parts: readonly StoredPart[];
  /** Its id, if its parent records one. */
  readonly folderId: string | undefined;
  /** Recorded files and folders that are missing. */
  readonly missing: readonly string[];
}

/** Folders of shares are stored in the vault, but encrypted with other keys. */
export const isShareFolder = ({ name, isFolder }: Pick<ClearItem, 'name' | 'isFolder'>): boolean => isFolder && isShareFolderName(name);

/** Judges a file by the listing alone; `judge` reads it for a full verdict. */
export const glanceOf = ({ manifest }: ClearFolder, { name, size }: ClearItem) => glanceAt(manifest, name, size);

const pageSize = 1000;
const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Query of the contents of a folder, with names decrypted by the worker. They stay in this page's memory until the vault is locked. */
export const clearFolder = (vaultId: string, rootUri: string, linkUri: string) =>
  queryOptions({
    queryKey: ['vault', vaultId, linkUri],
    queryFn: async ({ signal, client }): Promise<ClearFolder> => {
      const place = { vaultId, rootUri, linkUri };
      const [all, above] = await Promise.all([listStored(linkUri, signal), folderAbove(client, place)]);
      const inner = foldersBelow(rootUri, linkUri);
      const [rows, path] = await Promise.all([
        openStored(vaultId, all),
        askWorker('openNames', { vaultId, names: inner.map((name) => ({ name, isFolder: true })) }),
      ]);
      const opened = rows.flatMap(({ name, ...row }) =>
        name === undefined ? [] : [{ ...row, name, size: row.item.size === undefined ? undefined : clearSize(row.item.size) }],
      );
      const own = knownPart(place);
      const parts = await readParts(
        vaultId,
        opened.filter((item) => isPart(item) && item.item.name !== own?.sealed),
      );
      const clearPath = path.map((name, index) => name ?? inner[index] ?? '');
      const folderId = linkUri === rootUri ? rootFolderId : above?.(clearPath.at(-1) ?? '');
      const here = recordedHere(place);
      const manifest = mergeParts(
        [...parts.flatMap(({ part }) => (part ? [part] : [])), ...(here ? [{ ...here, folder: folderId ?? here.folder }] : [])],
        folderId,
      );
      const items = opened.filter((item) => !isPart(item) && !isShareFolder(item));
      const isThere = new Set(items.map(({ name }) => name));
      return {
        items: items.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || order.compare(a.name, b.name)),
        foreign: rows.flatMap(({ name, item }) => (name === undefined ? [item.name] : [])),
        path: clearPath,
        manifest,
        parts,
        folderId,
        missing: [...manifest.files.keys(), ...manifest.folders.keys()].filter((name) => !isThere.has(name)),
      };
    },
    staleTime: 0,
    gcTime: 60_000,
  });

/** Decrypts the names of items; undefined for an item that is not part of the vault. */
export async function openStored(vaultId: string, items: readonly Item[]) {
  const rows = items.map((item) => ({ item, isFolder: item.fileType === 'FOLDER' }));
  const names = await askWorker('openNames', { vaultId, names: rows.map(({ item: { name }, isFolder }) => ({ name, isFolder })) });
  return rows.map((row, index) => ({ ...row, name: names[index] }));
}

/** Lists all stored items of a folder. */
export async function listStored(linkUri: string, signal: AbortSignal): Promise<readonly Item[]> {
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
  return all;
}

/** Returns the subfolder ids that the parent records, by name; undefined for the root of the vault, or if the parent cannot be read. */
async function folderAbove(client: QueryClient, { vaultId, rootUri, linkUri }: Place) {
  const parent = parentUri(linkUri);
  if (linkUri === rootUri || parent === undefined) return undefined;
  try {
    const { manifest } = await client.fetchQuery({ ...clearFolder(vaultId, rootUri, parent), staleTime: 60_000 });
    const here = knownPart({ vaultId, rootUri, linkUri: parent });
    return (name: string): string | undefined => here?.records.get(name)?.folder ?? manifest.folders.get(name);
  } catch (error) {
    logError('The folder above could not be read.', error);
    return undefined;
  }
}

/** Stored names of the folders between the root of the vault and one of its folders. */
function foldersBelow(rootUri: string, linkUri: string): string[] {
  const namesOf = (uri: string): string[] => (parseLinkUri(uri)?.path ?? '/').split('/').filter((name) => name !== '');
  return namesOf(linkUri).slice(namesOf(rootUri).length);
}
