import { type Entry, joinPath, markHandled } from '@sheaf/connectors';
import { isSegment } from '@sheaf/contract';
import type { OpenItem } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Window } from '#/serving/programs/windows.ts';
import { longestKey } from '../address.ts';
import { isCode } from '../objects/folders.ts';
import { type ObjectMemory, factsOf } from '../objects/memory.ts';

/** An object of a listing, or a folder that stands for its keys as a common prefix. */
export type Listed =
  | { readonly key: string; readonly etag: string; readonly size: number; readonly modified: number | undefined }
  | { readonly prefix: string };

interface Deps {
  readonly listings: Listings;
  readonly memory: ObjectMemory;
}

export interface WalkOptions {
  readonly window: Window;
  readonly userLinkId: string;
  /** What each key begins with. */
  readonly prefix: string;
  /** Lists only what comes after it. */
  readonly after: string;
  /** Whether `after` is a prefix whose keys have all been listed. */
  readonly isAfterAll: boolean;
  /** Whether the keys in a folder are listed as their common prefix. */
  readonly isFlat: boolean;
  /** Most that are wanted at once. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A stored listing older than this, in milliseconds, waits for the source: programs compare what they get. */
const freshFor = 60_000;
/** Number of folders that are listed ahead. */
const ahead = 4;
const emptyTag = 'd41d8cd98f00b204e9800998ecf8427e';

/** A character takes three bytes at most. */
const isTooLong = (key: string): boolean => key.length * 3 > longestKey && Buffer.byteLength(key) > longestKey;
const extended = ({ name, kind }: Entry): string => (kind === 'folder' ? `${name}/` : name);
export const compareBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** The objects of a link in the order of their keys' bytes, folder by folder, from stored listings; some at a time. */
export async function* walk({ listings, memory }: Deps, options: WalkOptions): AsyncGenerator<readonly Listed[]> {
  const { window, userLinkId, prefix, after, isAfterAll, isFlat, limit, signal } = options;
  const cut = prefix.lastIndexOf('/') + 1;
  const [above, namePrefix] = [prefix.slice(0, cut), prefix.slice(cut)];
  // No object has such a key.
  if (!above.split('/').slice(0, -1).every(isSegment)) return;
  if (after !== '' && !after.startsWith(prefix) && compareBytes(after, prefix) > 0) return;
  const isContinued = after !== '';
  const afterHere = after.startsWith(above) ? after.slice(above.length) : '';
  const opened = new Map<string, Promise<OpenItem>>();

  const itemAt = (path: string): Promise<OpenItem> => {
    const known = opened.get(path);
    if (known) return known;
    const opening = window.open(userLinkId, path);
    opened.set(path, opening);
    return opening;
  };

  /** Entries of a folder from `from` on; nothing for what is no folder. */
  async function entriesOf(path: string, from: string, isAfter: boolean): Promise<readonly Entry[]> {
    const reach = window.reach(userLinkId, path);
    if (reach === 'outside') return [];
    if (reach === 'above') {
      const folders = window.namesAbove(userLinkId, path).map((name): Entry => ({ name, kind: 'folder' }));
      const sorted = folders.sort((one, other) => compareBytes(extended(one), extended(other)));
      return sorted.filter((one) => compareBytes(extended(one), from) >= (isAfter ? 1 : 0));
    }
    const item = await itemAt(path);
    const { connector } = item;
    // Stored rows do not tell symbolic links: one may lead out of the allowed folders, or back to a folder above.
    if (window.isLimited) await connector.stat(path, { signal });
    else if (path !== folderOf(above) && connector.lstat && (await connector.lstat(path, { signal })).isLink) return [];
    const place = { userId: item.userId, linkId: userLinkId, connector, path };
    // Later pages read the listing that the first one read, as far as it is still stored.
    return listings.byteOrder(place, { from, isAfter, limit, ...(!isContinued && { freshFor }) }, signal);
  }
  const orNothing = (error: unknown): readonly Entry[] => {
    if (isCode(error, 'ITEM_NOT_FOUND', 'NOT_A_FOLDER')) return [];
    throw error;
  };

  /** `rest` is what of `after` concerns the folder. */
  async function* inFolder(path: string, keyStart: string, rest: string, wanted: string): AsyncGenerator<readonly Listed[]> {
    const slash = rest.indexOf('/');
    let [from, isAfter] = slash < 0 ? [rest, rest !== ''] : [rest.slice(0, slash + 1), false];
    if (wanted !== '' && compareBytes(wanted, from) > 0) [from, isAfter] = [wanted, false];
    if (rest === '' && keyStart !== '' && wanted === '') yield* markOf(path, keyStart);
    const coming = new Map<string, Promise<readonly Entry[]>>();
    for (;;) {
      const entries = (await entriesOf(path, from, isAfter).catch(orNothing)).filter(({ name }) => isSegment(name));
      const rows = await rowsOf(path, entries);
      let found: Listed[] = [];
      for (const [index, entry] of entries.entries()) {
        const name = extended(entry);
        if (!name.startsWith(wanted)) {
          yield found;
          return;
        }
        const key = keyStart + name;
        if (isTooLong(key)) continue;
        if (entry.kind === 'file') {
          const { size = 0, modified } = entry;
          found.push({ key, size, modified, etag: factsOf(rows.get(name), entry).etag });
          continue;
        }
        const inside = rest.startsWith(name) ? rest.slice(name.length) : '';
        const isTold = isAfterAll && rest === name;
        if (isTold) continue;
        if (isFlat) {
          found.push({ prefix: key });
          continue;
        }
        yield found;
        found = [];
        for (const next of entries.slice(index + 1, index + 1 + ahead))
          if (next.kind === 'folder' && !coming.has(next.name)) coming.set(next.name, look(joinPath(path, next.name)));
        await coming.get(entry.name);
        coming.delete(entry.name);
        yield* inFolder(joinPath(path, entry.name), key, inside, '');
      }
      yield found;
      const last = entries.at(-1);
      if (!last || entries.length < limit) return;
      [from, isAfter] = [extended(last), true];
    }
  }

  /** Begins to list a folder whose turn comes soon. A failure shows in its turn. */
  const look = (path: string): Promise<readonly Entry[]> => markHandled(entriesOf(path, '', false).catch(() => []));

  async function rowsOf(path: string, entries: readonly Entry[]) {
    const files = entries.filter(({ kind }) => kind === 'file');
    return files.length === 0 ? new Map() : memory.inFolder(await itemAt(path), path, files);
  }

  /** The folder itself, if it was stored as an object. */
  async function* markOf(path: string, key: string): AsyncGenerator<readonly Listed[]> {
    if (window.reach(userLinkId, path) !== 'inside') return;
    const mark = await memory.markAt(await itemAt(path), path);
    if (mark) yield [{ key, size: 0, modified: undefined, etag: mark.etag ?? emptyTag }];
  }

  yield* inFolder(folderOf(above), above, afterHere, namePrefix);
}

const folderOf = (above: string): string => (above === '' ? '/' : `/${above.slice(0, -1)}`);
