import type { CallOptions } from '../../../core/connector.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { type ItemTree, createItemTree } from '../../../kit/id-tree/item-tree.ts';
import { joinPath } from '../../../kit/names/path.ts';
import type { DriveItem, Facts } from './api.ts';
import type { DriveClient } from './client.ts';
import { type DriveSource, drivesItem } from './source.ts';

/** Resolves paths to items, and items to paths. */
export type Places = ReturnType<typeof createPlaces>;

export function createPlaces(client: DriveClient, source: DriveSource) {
  const tree: ItemTree<Facts> = createItemTree<Facts>(source);
  let rootId: string | undefined;

  /** Returns the item at the path, revalidated: a cached item is requested again, and the path is resolved anew when it has moved. */
  async function now(path: string, ask: CallOptions, since = Date.now()): Promise<DriveItem> {
    const item = await tree.find(path, ask);
    if (item.facts.asOf >= since) return item;
    const current = await client.item(item.id, ask);
    if (current && !current.facts.isTrashed && current.name === item.name && current.facts.parent === item.facts.parent) return current;
    tree.forget(path);
    return tree.find(path, ask);
  }

  /** Looks up the path's name at Drive: returns the item, unless several have the name, and whether the name is taken. */
  async function occupant(path: string, ask: CallOptions): Promise<{ readonly item?: DriveItem; readonly isTaken: boolean }> {
    const since = Date.now();
    const [seen, isTaken] = await Promise.all([tree.findIfThere(path, ask), tree.isTaken(path, ask)]);
    if (!seen) return { isTaken };
    try {
      return { item: await now(path, ask, since), isTaken: true };
    } catch (error) {
      if (isKind(error, 'notFound')) return { isTaken };
      throw error;
    }
  }

  /** Like `now`, for items that the link may change; rejects with `unsupported` for the virtual folders above all files. */
  async function changeable(path: string, ask: CallOptions): Promise<DriveItem> {
    const item = await now(path, ask);
    if (item.facts.place !== 'item') throw new ConnectorError('unsupported', 'My Drive and shared drives stay as they are');
    return item;
  }

  /** Returns the folder for new items; rejects with `unsupported` where Drive allows none. */
  async function parent(path: string, ask: CallOptions): Promise<DriveItem> {
    const folder = await tree.folder(path, ask);
    if (folder.facts.place === 'drives') throw new ConnectorError('unsupported', 'shared drives are made at Google Drive');
    if (folder.facts.isBroken) throw new ConnectorError('notFound', 'the shortcut leads nowhere');
    return folder;
  }

  async function rootOf(ask: CallOptions): Promise<string | undefined> {
    rootId ??= (await client.file('root', ask))?.id;
    return rootId;
  }

  async function driveFolder(id: string, ask: CallOptions): Promise<string | undefined> {
    if (!(await source.hasDrives(ask))) return undefined;
    const above = await tree.placeIn('/', drivesItem, ask);
    for await (const page of source.drives(ask)) for (const drive of page) if (drive.id === id) return tree.placeIn(above, drive, ask);
    return undefined;
  }

  /** Resolves items to paths. Each folder is requested once; the account's root and shared drives end the walk upwards. */
  function createFinder(ask: CallOptions) {
    const folders = new Map<string, Promise<string | undefined>>();

    const folderOf = (id: string): Promise<string | undefined> => {
      const asked = folders.get(id);
      if (asked) return asked;
      const found = findFolder(id);
      folders.set(id, found);
      return found;
    };

    async function findFolder(id: string): Promise<string | undefined> {
      if (id === (await rootOf(ask))) return '/';
      const folder = await client.item(id, ask);
      if (!folder || folder.facts.isTrashed) return undefined;
      if (folder.facts.driveId === id) return driveFolder(id, ask);
      return pathOf(folder);
    }

    /** Returns the item's path; undefined outside the account's folders, for example for a file shared by another user. */
    async function pathOf(item: DriveItem): Promise<string | undefined> {
      const { parent: above } = item.facts;
      const folder = above === undefined ? undefined : await folderOf(above);
      return folder === undefined ? undefined : tree.placeIn(folder, item, ask);
    }
    return pathOf;
  }

  return { tree, now, occupant, changeable, parent, createFinder };
}

/** Whether the path is inside the folder, at any depth. */
export const isBelow = (path: string, folder: string): boolean => folder === '/' || path.startsWith(joinPath(folder, ''));
