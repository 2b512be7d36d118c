import { type Connector, type Entry, joinPath } from '@sheaf/connectors';
import {
  AppError,
  type InputOf,
  type Item,
  type addFolder,
  appError,
  type deleteObject,
  foldName,
  numberedName,
  parentUri,
  type renameObject,
} from '@sheaf/contract';
import type { BinOfItem } from '#/files/changes/facts.ts';
import type { Journal } from '#/files/changes/journal.ts';
import { placeInBin } from '#/files/changes/replacing.ts';
import { itemOf, rootItem } from '#/files/items/items.ts';
import { type AsMember, type Links, type OpenItem, cannotChange, checkName, isRoot, openItem, placeOf } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import { type Transfers, transfersOf } from './transfers.ts';

interface Deps {
  readonly links: Links;
  readonly listings: Listings;
  readonly transfers: Transfers;
  /** Notes what can be undone. */
  readonly journal: Journal;
  /** Bytes of the files below a folder, as far as known from stored listings. */
  readonly bytesBelow: (item: OpenItem) => Promise<number | undefined>;
}

type Input<C> = Omit<InputOf<C>, 'rTag'> & AsMember;

/** Most numbers tried for a taken name, against sources with wrong listings. */
const mostNumbers = 10_000;

/** Creates, renames and deletes items. Each change is in the stored listing before the answer. */
export function createChanging({ links, listings, transfers, journal, bytesBelow }: Deps) {
  /** A repeated rename waits for the first one. Undefined without one, or if its process had moved nothing yet. */
  async function joined(item: OpenItem, to: string, signal: AbortSignal): Promise<Entry | undefined> {
    if (!(await transfersOf(transfers, item).join(item.path, to, signal))) return undefined;
    if (await entryAt(item.connector, item.path, signal)) return undefined;
    return entryAt(item.connector, to, signal);
  }

  const explained = async (item: OpenItem, path: string, error: unknown): Promise<unknown> =>
    isRow(error, 'NAME_TAKEN') ? transfersOf(transfers, item).explain(path, error) : error;

  async function renamed(item: OpenItem, rename: NonNullable<Connector['rename']>, newName: string, signal: AbortSignal): Promise<Entry> {
    const { path, userLinkId } = item;
    const { folder, name } = placeOf(item);
    await transfersOf(transfers, item).check(path, signal);
    try {
      return await rename(path, newName, { signal });
    } catch (error) {
      if (isRow(error, 'ITEM_NOT_FOUND')) await listings.note(userLinkId, folder, { gone: name });
      throw await explained(item, joinPath(folder, newName), error);
    }
  }

  /** Makes a noted renaming. */
  const changeOf = (item: OpenItem, rename: NonNullable<Connector['rename']>, newName: string, signal: AbortSignal) => async () => {
    const toPath = joinPath(placeOf(item).folder, newName);
    const entry = (await joined(item, toPath, signal)) ?? (await renamed(item, rename, newName, signal));
    return { result: entry, entry };
  };

  /** Moves an item into the bin, noted before. */
  async function binned(item: OpenItem, into: BinOfItem, undoId: string | undefined, signal: AbortSignal): Promise<string> {
    const { path, userLinkId, connector } = item;
    const { folder, name } = placeOf(item);
    const entry = (await listings.findEntry(userLinkId, folder, name)) ?? (await connector.stat(path, { signal }));
    const { day, key } = placeInBin();
    const known = entry.kind === 'folder' ? bytesBelow(item).catch(() => undefined) : undefined;
    try {
      const noted = await journal.made(item, { kind: 'delete', undoId, path, entry, into }, async (before) => {
        const result = await into.bin.discard(path, { day, key, before, signal });
        return { result, bytes: await known };
      });
      return noted.undoId;
    } catch (error) {
      throw isRow(error, ...binRefusals) ? appError('BIN_REFUSES', { name }, error) : error;
    }
  }

  return {
    /** Creates a folder. A taken name gets a number ("New Folder 2"), compared without case; with `conflict` fail it is refused instead. */
    async addFolder(userId: string, input: Input<typeof addFolder>, signal: AbortSignal): Promise<Item> {
      const { parentLinkUri, folderName, conflict, memberOid } = input;
      const parent = await openItem(links, userId, parentLinkUri, memberOid);
      const { userLinkId, path, provider, connector } = parent;
      if (!connector.createFolder) throw cannotChange(parent);
      checkName(folderName, provider);
      const taken =
        conflict === 'fail'
          ? new Set<string>()
          : new Set(
              (await listings.namesFrom({ userId, linkId: userLinkId, connector, path }, foldName(folderName), signal)).map(foldName),
            );
      for (let number = 1; number < mostNumbers; number++) {
        const name = number === 1 ? folderName : numberedName(folderName, number, 'folder');
        if (taken.has(foldName(name))) continue;
        try {
          const entry = await connector.createFolder(joinPath(path, name), { signal });
          await listings.forget(userLinkId, joinPath(path, entry.name));
          await listings.note(userLinkId, path, { put: entry });
          return itemOf(parentLinkUri, entry);
        } catch (error) {
          if (conflict === 'fail' || !isRow(error, 'NAME_TAKEN')) throw await explained(parent, joinPath(path, name), error);
        }
      }
      throw appError('NAME_TAKEN', { name: folderName });
    },

    /** Renames an item within its folder. An equal or empty name changes nothing. */
    async rename(
      userId: string,
      { linkUri, newName, memberOid }: Input<typeof renameObject>,
      signal: AbortSignal,
    ): Promise<Item & { readonly undoId?: string }> {
      const item = await openItem(links, userId, linkUri, memberOid);
      const { userLinkId, path, provider, connector } = item;
      const folderUri = parentUri(linkUri) ?? '';
      if (isRoot(item) && newName === '') return rootItem(userLinkId, item.name);
      const { folder, name } = placeOf(item);
      if (newName === '' || newName === name) return itemOf(folderUri, await connector.stat(path, { signal }));
      if (!connector.rename) throw cannotChange(item);
      checkName(newName, provider);
      const toPath = joinPath(folder, newName);
      const before = (await listings.findEntry(userLinkId, folder, name)) ?? (await entryAt(connector, path, signal));
      const change = changeOf(item, connector.rename, newName, signal);
      const { result: entry, undoId } = await journal.made(item, { kind: 'rename', path, toPath, entry: before }, change);
      await listings.note(userLinkId, folder, { gone: name, put: entry });
      if (entry.kind === 'folder') {
        await listings.forget(userLinkId, path);
        await listings.forget(userLinkId, joinPath(folder, entry.name));
      }
      return { ...itemOf(folderUri, entry), undoId };
    },

    /** Deletes a file, or a folder with its content: into the bin where there is one. */
    async remove(
      userId: string,
      { linkUri, memberOid, undoId, permanently = false }: Input<typeof deleteObject>,
      signal: AbortSignal,
    ): Promise<{ readonly undoId?: string }> {
      const item = await openItem(links, userId, linkUri, memberOid);
      const { userLinkId, path, connector } = item;
      const { folder, name } = placeOf(item);
      if (!connector.remove) throw cannotChange(item);
      await transfersOf(transfers, item).check(path, signal);
      let undo: { readonly undoId?: string } = {};
      try {
        const into = permanently ? undefined : await journal.binOf(item);
        if (into) undo = { undoId: await binned(item, into, undoId, signal) };
        else await connector.remove(path, { signal });
      } catch (error) {
        // The folder may be half deleted: its stored rows are no longer true.
        await listings.forget(userLinkId, path);
        if (isRow(error, 'ITEM_NOT_FOUND')) await listings.note(userLinkId, folder, { gone: name });
        throw error;
      }
      await listings.note(userLinkId, folder, { gone: name });
      await listings.forget(userLinkId, path);
      return undo;
    },
  };
}

/** Refusals after which a deletion for ever may still work. */
const binRefusals = ['SOURCE_FORBIDS', 'SOURCE_CANNOT', 'SOURCE_FULL', 'FILE_NAME_REFUSED'] as const;

const isRow = (error: unknown, ...messageCodes: readonly AppError['messageCode'][]): boolean =>
  error instanceof AppError && messageCodes.includes(error.messageCode);

/** The entry, or undefined when nothing is there. */
async function entryAt(connector: Connector, path: string, signal: AbortSignal): Promise<Entry | undefined> {
  try {
    return await connector.stat(path, { signal });
  } catch (error) {
    if (isRow(error, 'ITEM_NOT_FOUND')) return undefined;
    throw error;
  }
}
