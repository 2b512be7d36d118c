import { createHash } from 'node:crypto';
import type { CallOptions, Entry } from '../../core/connector.ts';
import { ConnectorError } from '../../core/error.ts';
import { joinPath, nameOf, parentOf } from '../names/path.ts';
import { bounded } from './bounded.ts';

/** An item of a provider that addresses by id. */
export interface Item<Facts> {
  readonly id: string;
  /** The provider's own name, which may contain characters that a path cannot. */
  readonly name: string;
  readonly kind: Entry['kind'];
  /** Further metadata, such as size, time and hash. */
  readonly entry: Omit<Entry, 'name' | 'kind'>;
  /** Data for the connector itself, such as its drive. */
  readonly facts: Facts;
}

/** Requests that an id-based provider answers. */
export interface ItemSource<Facts> {
  readonly root: Item<Facts>;
  /** All children, in batches. Rejects with `notFound` when the folder no longer exists. */
  children(folder: Item<Facts>, ask: CallOptions): AsyncIterable<readonly Item<Facts>[]>;
  /** Returns the children with that name, by the provider's own comparison; absent if only the whole folder can be listed. */
  named?(folder: Item<Facts>, name: string, ask: CallOptions): Promise<readonly Item<Facts>[]>;
  /**
   * Whether a folder may contain two items of one name. `adjacent`: yes, and `children` returns them one after another. `anywhere`: yes, in
   * any order: a listing is then returned only when it is complete.
   */
  readonly duplicates?: 'adjacent' | 'anywhere';
}

interface Known<Facts> {
  readonly item: Item<Facts>;
  readonly until: number;
}

/** Maximum number of cached items. */
const mostKnown = 50_000;
/** Time in ms for which a cached path is used without a request: others may move items at the provider. */
const trustFor = 60_000;

/**
 * Resolves paths to a provider's ids. Encodes names that a path cannot contain, reversibly. Distinguishes items of one name in one folder
 * by marks derived from their ids, on each of them: otherwise, after one was deleted, its path would mean another item.
 */
export function createItemTree<Facts>(source: ItemSource<Facts>, now: () => number = Date.now, mostItems?: number) {
  const known = new Map<string, Known<Facts>>();
  const { duplicates } = source;

  function learn(path: string, item: Item<Facts>): void {
    if (known.size >= mostKnown) known.clear();
    known.set(path, { item, until: now() + trustFor });
  }

  /** Forgets the path and everything below it. */
  function forget(path: string): void {
    for (const place of known.keys()) if (place === path || place.startsWith(joinPath(path, ''))) known.delete(place);
  }

  const shownAs = (item: Item<Facts>, isTwin: boolean): string => (isTwin ? marked(nameOfItem(item.name), item.id) : nameOfItem(item.name));

  async function childOf(folder: Item<Facts>, name: string, ask: CallOptions): Promise<Item<Facts> | undefined> {
    const { plain, mark } = unmarked(name);
    for (const [wanted, tag] of mark === undefined ? [[name, undefined] as const] : [[plain, mark] as const, [name, undefined] as const]) {
      const twins = await namesakes(folder, wanted, ask);
      const found = tag === undefined ? (twins.length === 1 ? twins[0] : undefined) : twins.find(({ id }) => markOf(id) === tag);
      if (found) return found;
    }
    return undefined;
  }

  /** Returns the folder's items with exactly that name. */
  async function namesakes(folder: Item<Facts>, name: string, ask: CallOptions): Promise<Item<Facts>[]> {
    const isIt = (item: Item<Facts>): boolean => nameOfItem(item.name) === name;
    if (source.named) return eachOnce((await source.named(folder, itemNameOf(name), ask)).filter(isIt));
    const found: Item<Facts>[] = [];
    for await (const batch of bounded(source.children(folder, ask), mostItems)) found.push(...batch.filter(isIt));
    return eachOnce(found);
  }

  async function find(path: string, ask: CallOptions): Promise<Item<Facts>> {
    if (ask.signal.aborted) throw new ConnectorError('aborted', 'given up');
    if (path === '/') return source.root;
    const place = known.get(path);
    if (place && place.until > now()) return place.item;
    const parent = await find(parentOf(path), ask);
    const item = parent.kind === 'folder' ? await childOf(parent, nameOf(path), ask) : undefined;
    if (!item) {
      known.delete(path);
      throw new ConnectorError('notFound', 'no item of that name');
    }
    learn(path, item);
    return item;
  }

  function toEntry(folder: string, item: Item<Facts>, isTwin: boolean): Entry {
    const name = shownAs(item, isTwin);
    learn(joinPath(folder, name), item);
    return { ...item.entry, name, kind: item.kind };
  }

  async function folderAt(path: string, ask: CallOptions): Promise<Item<Facts>> {
    const item = await find(path, ask);
    if (item.kind !== 'folder') throw new ConnectorError('notAFolder', 'the item is a file');
    return item;
  }

  return {
    /** Returns the item at the path, which may be cached for a moment; rejects with `notFound`. */
    find,
    /** Like `find`, for folders: rejects with `notAFolder`. */
    folder: folderAt,
    /** Like `find`, for files: rejects with `isAFolder`. */
    async file(path: string, ask: CallOptions): Promise<Item<Facts>> {
      const item = await find(path, ask);
      if (item.kind !== 'file') throw new ConnectorError('isAFolder', 'the item is a folder');
      return item;
    },
    /** Returns the item, or undefined when the name is free. */
    async findIfThere(path: string, ask: CallOptions): Promise<Item<Facts> | undefined> {
      try {
        return await find(path, ask);
      } catch (error) {
        if (error instanceof ConnectorError && error.kind === 'notFound') return undefined;
        throw error;
      }
    },
    /** Whether any item in the folder has the path's last name, with or without a mark; sends a request. */
    async isTaken(path: string, ask: CallOptions): Promise<boolean> {
      const parent = await folderAt(parentOf(path), ask);
      return (await namesakes(parent, nameOf(path), ask)).length > 0;
    },
    /** Returns the path under which a listing shows the folder's item, and caches the item; requests whether its name is unique. */
    async placeIn(path: string, item: Item<Facts>, ask: CallOptions): Promise<string> {
      const twins = await namesakes(await folderAt(path, ask), nameOfItem(item.name), ask);
      const place = joinPath(
        path,
        shownAs(
          item,
          twins.some(({ id }) => id !== item.id),
        ),
      );
      learn(place, item);
      return place;
    },
    /** Yields the folder's entries; items of one name get marks. */
    async *list(path: string, ask: CallOptions): AsyncGenerator<readonly Entry[]> {
      const folder = await folderAt(path, ask);
      const batches = bounded(source.children(folder, ask), mostItems);
      if (duplicates === 'anywhere') {
        const found: Item<Facts>[] = [];
        for await (const batch of batches) found.push(...batch);
        const all = eachOnce(found);
        const count = Map.groupBy(all, ({ name }) => name);
        if (all.length > 0) yield all.map((item) => toEntry(path, item, (count.get(item.name)?.length ?? 0) > 1));
        return;
      }
      let held: Item<Facts>[] = [];
      const seen = new Set<string>();
      const isNew = (item: Item<Facts>): boolean => seen.size < seen.add(keyOf(item)).size;
      for await (const batch of batches) {
        const items = [...held, ...batch.filter(isNew)];
        held = duplicates === 'adjacent' ? items.splice(items.findIndex(({ name }) => name === items.at(-1)?.name)) : [];
        if (items.length > 0) yield adjacent(items).map(([item, isTwin]) => toEntry(path, item, isTwin));
      }
      if (held.length > 0) yield adjacent(held).map(([item, isTwin]) => toEntry(path, item, isTwin));
    },
    /** Caches a new or changed item at the path and returns its entry. */
    learnt(path: string, item: Item<Facts>): Entry {
      forget(path);
      learn(path, item);
      return { ...item.entry, name: nameOf(path), kind: item.kind };
    },
    forget,
    /** Returns the entry of the item at the path; the root has no name. */
    entryOf: (path: string, item: Item<Facts>): Entry => ({ ...item.entry, name: nameOf(path), kind: item.kind }),
    /** Returns the paths at which an item with that id was seen. */
    pathsOf: (id: string): string[] => [...known].flatMap(([path, { item }]) => (item.id === id ? [path] : [])),
  };
}
export type ItemTree<Facts> = ReturnType<typeof createItemTree<Facts>>;

/** Includes the kind, because a file and a folder may have the same id. */
const keyOf = <Facts>({ kind, id }: Item<Facts>): string => `${kind} ${id}`;

/**
 * Removes duplicates and keeps the latest version: changes while pages are read shift the other items, so that an item may appear on two
 * pages.
 */
const eachOnce = <Facts>(items: readonly Item<Facts>[]): Item<Facts>[] => [...new Map(items.map((item) => [keyOf(item), item])).values()];

/** Pairs each item with whether a neighbour has the same name. */
const adjacent = <Facts>(items: readonly Item<Facts>[]): (readonly [Item<Facts>, boolean])[] =>
  items.map((item, index) => [item, items[index - 1]?.name === item.name || items[index + 1]?.name === item.name]);

/**
 * Substitutes for what a path cannot contain: `/` is shown as U+29F8; names of dots get U+241B in front; a name that contains these
 * characters gets U+241B before each.
 */
const slash = '\u29f8';
const escape = '\u241b';

/** Encodes a provider's name as a path segment. */
export function nameOfItem(name: string): string {
  if (name === '') return escape;
  return name
    .replaceAll(escape, escape + escape)
    .replaceAll(slash, escape + slash)
    .replaceAll('/', slash)
    .replaceAll('\0', `${escape}0`)
    .replace(/(^|\\)(?=\.\.?(?: [. ]*)?(?:\\|$))/g, `$1${escape}`);
}

/** Decodes a path segment to the provider's name. */
export function itemNameOf(shown: string): string {
  if (shown === escape) return '';
  if (shown === `${escape}.` || shown === `${escape}..`) return shown.slice(1);
  return shown.replace(/\u241b([\s\S])|\u29f8/gu, (_, escaped?: string) =>
    escaped === undefined ? '/' : escaped === '0' ? '\0' : escaped,
  );
}

/** Returns eight letters derived from the id. */
const markOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 8);

/** `report.pdf` → `report (~1a2b3c4d).pdf`. */
function marked(name: string, id: string): string {
  const dot = name.lastIndexOf('.');
  const cut = dot > 0 ? dot : name.length;
  return `${name.slice(0, cut)} (~${markOf(id)})${name.slice(cut)}`;
}

function unmarked(name: string): { readonly plain: string; readonly mark?: string } {
  const found = /^(.*) \(~([0-9a-f]{8})\)(\.[^.]*)?$/s.exec(name);
  return found ? { plain: `${found[1]}${found[3] ?? ''}`, mark: found[2] ?? '' } : { plain: name };
}
