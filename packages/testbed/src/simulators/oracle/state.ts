import { randomUUID } from 'node:crypto';
import { type Content, createContents, refuse } from '../kit/index.ts';

export const contents = createContents({ hashes: {}, keepUpTo: 64 * 1024 * 1024 });

interface Node {
  readonly id: string;
  name: string;
  parent: string;
  isTrashed: boolean;
  modified: number;
}
export interface Folder extends Node {
  readonly type: 'folder';
}
export interface File extends Node {
  readonly type: 'file';
  mimeType: string;
  /** The oldest first; a deleted version leaves a gap. */
  readonly versions: (Content | undefined)[];
  isReserved: boolean;
}
export type Item = Folder | File;

/** Oracle's error format. */
export const no = (status: number, errorKey: string, title: string) =>
  refuse({ status, json: { errorCode: String(-status), errorKey: `!csc${errorKey}`, errorMessage: title, title, type: 'error' } });

const newId = (letter: string): string => `${letter}${randomUUID().replaceAll('-', '').toUpperCase()}T0000000000100000001`;
const unfit = /[\\/:*?"<>|]|\p{Cc}/u;

/** One user's home folder, with items shared by others. */
export function createState() {
  const items = new Map<string, Item>();
  /** Another user's folder, from which items are shared. */
  const elsewhere = newId('F');
  const folder = (id: string, name: string, parent: string): Folder => ({
    id,
    name,
    parent,
    type: 'folder',
    isTrashed: false,
    modified: now(),
  });
  const home = folder(newId('F'), 'home', '');
  items.set(home.id, home);

  const isGone = (item: Item): boolean => {
    const parent = items.get(item.parent);
    return item.isTrashed || (parent !== undefined && isGone(parent));
  };
  const childrenOf = (id: string): Item[] => [...items.values()].filter(({ parent, isTrashed }) => parent === id && !isTrashed);

  function find(asked: string, type?: Item['type']): Item {
    const item = items.get(asked === 'self' ? home.id : asked);
    if (asked === elsewhere) throw no(403, 'ItemNoAccess', 'No access');
    if (!item || isGone(item) || (type && item.type !== type)) throw no(404, 'ItemNotFound', 'The item is not there');
    return item;
  }

  const namesake = (parent: string, name: string): Item | undefined =>
    childrenOf(parent).find((item) => item.name.toLowerCase() === name.toLowerCase());

  /** Refuses an invalid name, or one taken by another item. */
  function mayBe(parent: string, name: string, itself?: Item): void {
    if (name === '' || unfit.test(name)) throw no(400, 'InvalidName', 'The name is not valid');
    const there = namesake(parent, name);
    if (there && there !== itself) throw no(409, 'ItemExists', 'The name is used');
  }

  function addFolder(parent: string, name: string): Folder {
    mayBe(parent, name);
    const made = folder(newId('F'), name, parent);
    items.set(made.id, made);
    return made;
  }

  function addFile(parent: string, name: string, mimeType: string, content: Content): File {
    const made: File = { ...folder(newId('D'), name, parent), type: 'file', mimeType, versions: [content], isReserved: false };
    items.set(made.id, made);
    return made;
  }

  function copy(item: Item, parent: string): void {
    if (item.type === 'file') {
      const current = currentOf(item);
      if (current) addFile(parent, item.name, item.mimeType, current);
      return;
    }
    const made = addFolder(parent, item.name);
    for (const child of childrenOf(item.id)) copy(child, made.id);
  }

  return {
    items,
    home,
    find,
    childrenOf,
    namesake,
    mayBe,
    addFolder,
    addFile,
    copy,
    /** The contents of the root: the home folder's items, and shared folders. */
    atRoot: (): Item[] => [...childrenOf(home.id), ...childrenOf(elsewhere)],
    shareFolder: (name: string): Folder => addFolder(elsewhere, name),
    touch(item: Item): void {
      item.modified = now();
    },
    isBelow(item: Item, id: string): boolean {
      for (let parent = items.get(item.parent); parent; parent = items.get(parent.parent)) if (parent.id === id) return true;
      return item.id === id;
    },
    isGone,
  };
}
export type State = ReturnType<typeof createState>;

export const currentOf = ({ versions }: File): Content | undefined => versions.findLast((version) => version !== undefined);
const now = (): number => Math.floor(Date.now() / 1000);

const mara = { id: 'U0EAA20910FAF3052ACB79E4T0000000000100000001', displayName: 'Mara', type: 'user' };
const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** An item's JSON: every number is a string. */
export const itemJson = (item: Item) => ({
  id: item.id,
  parentID: item.parent,
  name: item.name,
  type: item.type,
  ownedBy: mara,
  createdBy: mara,
  modifiedBy: mara,
  createdTime: timeOf(item.modified),
  modifiedTime: timeOf(item.modified),
  errorCode: '0',
  ...(item.type === 'folder'
    ? { childItemsCount: '0' }
    : { size: String(currentOf(item)?.size ?? 0), version: String(item.versions.length), mimeType: item.mimeType }),
});
