import { randomBytes } from 'node:crypto';
import type { Content } from '../kit/index.ts';
import { conflict, invalidName, missing, no } from './refusals.ts';

export type Bytes = Content<'sha1'>;

interface Shared {
  readonly id: string;
  name: string;
  parent: string;
  /** Incremented with every change, like Box's etags; starts at 0. */
  etag: number;
  readonly created: number;
  modified: number;
  contentModified: number;
  trashed?: number;
}
export interface File extends Shared {
  readonly type: 'file';
  content: Bytes;
  version: string;
  /** Contents that were replaced, by their version, and when they were written. */
  readonly earlier: Map<string, { readonly content: Bytes; readonly modified: number }>;
  /** Ids of other accounts that may download it as collaborators. */
  readers?: readonly string[];
}
export interface Folder extends Shared {
  readonly type: 'folder';
}
export type Item = File | Folder;

export type EventType =
  | 'ITEM_CREATE'
  | 'ITEM_UPLOAD'
  | 'ITEM_RENAME'
  | 'ITEM_MOVE'
  | 'ITEM_COPY'
  | 'ITEM_TRASH'
  | 'ITEM_UNDELETE_VIA_TRASH';
export interface Happening {
  readonly id: string;
  readonly type: EventType;
  readonly at: number;
  readonly item: Item;
}

export const rootId = '0';
const now = (): number => Math.floor(Date.now() / 1000);

/** Ids of items, unique among all accounts. */
export function createIds(): () => string {
  let lastId = 1_500_000_000_000;
  return () => String((lastId += 7));
}

/** One account's items by id, and their events. */
export function createBoxState(newId: () => string) {
  const root: Folder = { type: 'folder', id: rootId, name: 'All Files', parent: '', etag: 0, created: 0, modified: 0, contentModified: 0 };
  const items = new Map<string, Item>([[rootId, root]]);
  /** Children's ids by lower-case name: Box ignores case. */
  const names = new Map<string, Map<string, string>>([[rootId, new Map()]]);
  const happenings: Happening[] = [];

  const tell = (type: EventType, item: Item): void =>
    void happenings.push({ id: randomBytes(20).toString('hex'), type, at: now(), item: { ...item } });

  const childrenOf = (folder: string): Map<string, string> => names.get(folder) ?? new Map<string, string>();

  function find(id: string, type?: Item['type']): Item {
    const item = items.get(id);
    if (!item || (type !== undefined && item.type !== type)) throw missing('not_found');
    if (isTrashed(item)) throw missing('trashed');
    return item;
  }

  /** An item is in the trash when it or any parent was put there. */
  function isTrashed(item: Item): boolean {
    for (let one: Item | undefined = item; one; one = items.get(one.parent)) if (one.trashed !== undefined) return true;
    return false;
  }

  /** Throws for an invalid or taken name. */
  function claim(folder: string, name: string, own?: string): void {
    invalidName(name);
    find(folder, 'folder');
    const there = items.get(childrenOf(folder).get(name.toLowerCase()) ?? '');
    if (there && there.id !== own) throw conflict(there, false);
  }

  function put(item: Item): void {
    items.set(item.id, item);
    if (item.type === 'folder' && !names.has(item.id)) names.set(item.id, new Map());
    childrenOf(item.parent).set(item.name.toLowerCase(), item.id);
  }

  function shared(parent: string, name: string, contentModified = now()): Omit<Folder, 'type'> {
    return { id: newId(), name, parent, etag: 0, created: now(), modified: now(), contentModified };
  }

  function copyBelow(item: Item, parent: string, name: string): Item {
    const { trashed: _, ...rest } = { ...item, ...shared(parent, name, item.contentModified) };
    const copy: Item = rest.type === 'file' ? { ...rest, version: newId(), earlier: new Map(), readers: [] } : rest;
    put(copy);
    if (item.type === 'folder') for (const id of childrenOf(item.id).values()) copyInto(id, copy.id);
    return copy;
  }
  function copyInto(id: string, parent: string): void {
    const child = items.get(id);
    if (child) copyBelow(child, parent, child.name);
  }

  return {
    items,
    happenings,
    find,
    isTrashed,
    childrenOf: (folder: string): Item[] => [...childrenOf(folder).values()].flatMap((id) => items.get(id) ?? []),
    claim,
    occupant: (folder: string, name: string): Item | undefined => items.get(childrenOf(folder).get(name.toLowerCase()) ?? ''),
    /** The parents from the root down, without the item itself. */
    above(item: Item): Folder[] {
      const found: Folder[] = [];
      for (let one = items.get(item.parent); one?.type === 'folder'; one = items.get(one.parent)) found.unshift(one);
      return found;
    },
    makeFolder(parent: string, name: string): Folder {
      claim(parent, name);
      const folder: Folder = { type: 'folder', ...shared(parent, name) };
      put(folder);
      tell('ITEM_CREATE', folder);
      return folder;
    },
    addFile(parent: string, name: string, content: Bytes, contentModified?: number): File {
      claim(parent, name);
      const file: File = { type: 'file', ...shared(parent, name, contentModified), content, version: newId(), earlier: new Map() };
      put(file);
      tell('ITEM_UPLOAD', file);
      return file;
    },
    addVersion(file: File, content: Bytes, contentModified = now()): File {
      file.earlier.set(file.version, { content: file.content, modified: file.modified });
      Object.assign(file, { content, contentModified, version: newId(), etag: file.etag + 1, modified: now() });
      tell('ITEM_UPLOAD', file);
      return file;
    },
    change(
      item: Item,
      { name = item.name, parent = item.parent }: { readonly name?: string | undefined; readonly parent?: string | undefined },
    ): Item {
      claim(parent, name, item.id);
      const moved = parent !== item.parent;
      childrenOf(item.parent).delete(item.name.toLowerCase());
      Object.assign(item, { name, parent, etag: item.etag + 1, modified: now() });
      childrenOf(parent).set(name.toLowerCase(), item.id);
      tell(moved ? 'ITEM_MOVE' : 'ITEM_RENAME', item);
      return item;
    },
    copy(item: Item, parent: string, name: string): Item {
      claim(parent, name);
      const copy = copyBelow(item, parent, name);
      tell('ITEM_COPY', copy);
      return copy;
    },
    trash(item: Item): void {
      childrenOf(item.parent).delete(item.name.toLowerCase());
      item.trashed = now();
      tell('ITEM_TRASH', item);
    },
    /** The item, which must have been put into the trash itself and not with a folder. */
    trashed(id: string, type: Item['type']): Item {
      const item = items.get(id);
      if (item?.type !== type || item.trashed === undefined) throw missing('not_found');
      return item;
    },
    /** Restores an item from the trash to its folder, or to `fallback` where that is gone. */
    untrash(item: Item, name: string, fallback: string | undefined): Item {
      const own = items.get(item.parent);
      const parent = own && !isTrashed(own) ? own.id : fallback;
      if (parent === undefined) throw no(403, 'parent_trashed');
      claim(parent, name, item.id);
      delete item.trashed;
      Object.assign(item, { name, parent, etag: item.etag + 1 });
      childrenOf(parent).set(name.toLowerCase(), item.id);
      tell('ITEM_UNDELETE_VIA_TRASH', item);
      return item;
    },
    /** Deletes an item of the trash for ever, with everything in it. */
    purge(item: Item): void {
      if (item.type === 'folder') for (const one of items.values()) if (one.parent === item.id) this.purge(one);
      items.delete(item.id);
      names.delete(item.id);
    },
    used: (): number => [...items.values()].reduce((sum, item) => sum + (item.type === 'file' ? item.content.size : 0), 0),
  };
}
export type BoxState = ReturnType<typeof createBoxState>;
