import { type NameRules, nameKey, nameOf, taggedName } from '@sheaf/connectors';
import type { NewItem } from '../rows/item-store.ts';

type Named = Pick<NewItem, 'seq' | 'fromPath' | 'toPath' | 'isFolder'>;

/**
 * Items of one folder that would get the same name at the destination: it ignores case, or one of them cannot keep its own name. The source is
 * listed in any order, yet the same item has to get the same name in each copy; so they are settled when the whole folder is known.
 */
export interface Namesakes {
  /** Notes an item that gets this name. */
  add(item: Named): void;
  /** Whether some items may have to get other names. */
  mayExist(): boolean;
  /** Notes an item again, once all are known. */
  collect(item: Named): void;
  /** The items that need another name, with the name they wanted. */
  settle(): readonly Named[];
}

export function createNamesakes(rules: NameRules | undefined): Namesakes {
  const isExact = !rules?.ignoresCase && !rules?.ignoresForm;
  /** Hashes of all names; unused where only changed names can meet others. Two names with one hash only cost a comparison. */
  const seen = new Set<number>();
  const suspects = new Set<string>();
  const groups = new Map<string, Named[]>();
  const keyOf = ({ toPath }: Named): string => nameKey(rules, nameOf(toPath));
  const isChanged = ({ fromPath, toPath }: Named): boolean => nameOf(fromPath) !== nameOf(toPath);
  return {
    add(item) {
      const key = keyOf(item);
      if (isChanged(item)) suspects.add(key);
      if (isExact) return;
      const sum = hashOf(key);
      if (seen.has(sum)) suspects.add(key);
      else seen.add(sum);
    },
    mayExist: () => suspects.size > 0,
    collect(item) {
      const key = keyOf(item);
      if (!suspects.has(key)) return;
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    },
    settle: () =>
      [...groups.values()]
        .filter(({ length }) => length > 1)
        .flatMap((group) =>
          group.toSorted((one, other) => Number(isChanged(one)) - Number(isChanged(other)) || byName(one, other)).slice(1),
        ),
  };
}

/** A name of its own for an item whose name belongs to another one; undefined without room. */
export const nameBeside = (rules: NameRules | undefined, { fromPath, toPath, isFolder }: Named, folder: string): string | undefined =>
  // The hash is that of the name at the source: two names that became equal get different ones.
  taggedName(rules, nameOf(toPath), isFolder === 1 ? 'folder' : 'file', folder, nameOf(fromPath));

/** By code units, which no language setting changes. */
const byName = ({ fromPath: one }: Named, { fromPath: other }: Named): number => (one < other ? -1 : one > other ? 1 : 0);

/** 53 bits of a text: two multiplicative hashes of 32 bits (FNV-1a with different starts). */
function hashOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
