import type { Area } from '#/features/browse/paths.ts';
import type { FolderView } from '#/features/browse/view-address.ts';
import { shortHash } from '#/lib/short-hash.ts';

/** The stored part of a folder's view; the filter is not stored. */
export type RememberedView = Pick<FolderView, 'layout' | 'sort' | 'order'>;

const place = 'sheaf-views';
/** Most folders whose view is stored; drops the one changed longest ago. */
const most = 1000;

type Entry = readonly [key: string, view: Partial<Record<string, unknown>>];

/**
 * Key of a folder without its name: what stays in the browser after sign-out must not reveal folders. A collision only shows a folder in the view of
 * another.
 */
export const viewKey = (account: string, area: Area, names: readonly string[], memberOid = ''): string =>
  shortHash(JSON.stringify([account, area, names, memberOid]));

/** Views of folders, stored in the browser and shared by its tabs. */
export function createRememberedViews(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const listeners = new Set<() => void>();
  let text: string | null = null;
  let entries: ReadonlyMap<string, Entry[1]> = new Map();
  const read = (): ReadonlyMap<string, Entry[1]> => {
    const now = storage.getItem(place);
    if (now !== text) {
      text = now;
      entries = new Map(entriesOf(now));
    }
    return entries;
  };
  return {
    of: (key: string): Entry[1] | undefined => read().get(key),
    keep(key: string, { layout, sort, order }: RememberedView): void {
      const others = [...read()].filter(([other]) => other !== key);
      const kept: readonly Entry[] = [...others, [key, { layout, sort, order }] as const].slice(-most);
      storage.setItem(place, JSON.stringify(kept));
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function entriesOf(text: string | null): Entry[] {
  const parsed: unknown = text === null ? [] : parseOr(text, []);
  if (!Array.isArray(parsed)) return [];
  return parsed.filter(
    (one): one is Entry => Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'object' && one[1] !== null,
  );
}

function parseOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Ignores an invalid value under this key.
    if (error instanceof SyntaxError) return otherwise;
    throw error;
  }
}
