import type { Item } from '@sheaf/contract';

/** The selection of a list: items by their linkUri, the cursor's row, and the start of a range. */
export interface Selection {
  readonly chosen: ReadonlyMap<string, Item>;
  /** The cursor's row; -1 before the keyboard was used. */
  readonly cursor: number;
  readonly anchor: number;
}

export const noSelection: Selection = { chosen: new Map(), cursor: -1, anchor: -1 };

/** How a row is selected: alone, toggled, or as the end of a range. */
export type SelectMode = 'only' | 'toggle' | 'range';

/** The selection limited to these items; unchanged when they are unknown. */
export function amongThese(selection: Selection, linkUris: ReadonlySet<string> | undefined): Selection {
  const { chosen } = selection;
  if (linkUris === undefined || [...chosen.keys()].every((linkUri) => linkUris.has(linkUri))) return selection;
  return { ...selection, chosen: new Map([...chosen].filter(([linkUri]) => linkUris.has(linkUri))) };
}

/** The selection after the item at `linkUri` was replaced, as by a rename, which changes the linkUri: the new item stays selected if the old one was. */
export function withReplaced(selection: Selection, linkUri: string, item: Item): Selection {
  if (!selection.chosen.has(linkUri)) return selection;
  return {
    ...selection,
    chosen: new Map([...selection.chosen].map(([uri, one]) => (uri === linkUri ? [item.linkUri, item] : [uri, one]))),
  };
}

type ItemAt = (index: number) => Item | undefined;

/** The selection after the row at `index` was chosen. */
export function choose(selection: Selection, index: number, mode: SelectMode, itemAt: ItemAt): Selection {
  const item = itemAt(index);
  if (!item) return { ...selection, cursor: index };
  if (mode === 'range') return { chosen: between(selection.anchor, index, itemAt), cursor: index, anchor: Math.max(0, selection.anchor) };
  if (mode === 'only') return { chosen: new Map([[item.linkUri, item]]), cursor: index, anchor: index };
  const chosen = new Map(selection.chosen);
  if (!chosen.delete(item.linkUri)) chosen.set(item.linkUri, item);
  return { chosen, cursor: index, anchor: index };
}

function between(from: number, to: number, itemAt: ItemAt): Map<string, Item> {
  const [low, high] = [Math.max(0, Math.min(from, to)), Math.max(from, to)];
  const items = Array.from({ length: high - low + 1 }, (_, index) => itemAt(low + index));
  return new Map(items.flatMap((item) => (item ? [[item.linkUri, item]] : [])));
}

/** The selection after a box touched the items at `indices`: these alone, or added to what was selected before. */
export function withBox(before: Selection, indices: readonly number[], isAdding: boolean, itemAt: ItemAt): Selection {
  const touched = indices.flatMap((index) => {
    const item = itemAt(index);
    return item ? [[item.linkUri, item] as const] : [];
  });
  const [first = before.anchor] = indices;
  return { chosen: new Map([...(isAdding ? before.chosen : []), ...touched]), cursor: indices.at(-1) ?? before.cursor, anchor: first };
}

/** Row index after an arrow key, Home, End or a page key; undefined for another key. */
export function rowAfterKey(key: string, cursor: number, count: number, perPage: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: cursor + 1,
    ArrowUp: cursor < 0 ? count - 1 : cursor - 1,
    Home: 0,
    End: count - 1,
    PageDown: Math.max(0, cursor) + perPage,
    PageUp: cursor - perPage,
  };
  const row = steps[key];
  return row === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, row));
}
