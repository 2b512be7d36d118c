import type { Item } from '@sheaf/contract';
import { previewKindOf } from '#/lib/files/preview-kind.ts';

type ItemAt = (index: number) => Item | undefined;

/** Pictures preloaded on each side of the current one. */
const reach = 8;

/** Next file in that direction; skips folders and stops at rows that are not loaded. */
export function fileBeside(itemAt: ItemAt, index: number, step: 1 | -1, count: number): Item | undefined {
  for (let at = index + step; at >= 0 && at < count; at += step) {
    const item = itemAt(at);
    if (!item) return undefined;
    if (item.fileType !== 'FOLDER') return item;
  }
  return undefined;
}

/** Number of folders at the start of the list: they come first in every order. */
export function foldersFirst(itemAt: ItemAt, count: number): number {
  let folders = 0;
  while (folders < count && itemAt(folders)?.fileType === 'FOLDER') folders += 1;
  return folders;
}

/** The pictures around the one at `index`, in order and including it. */
export function picturesAround(itemAt: ItemAt, index: number, count: number): Item[] {
  const found: Item[] = [];
  for (let at = Math.max(0, index - reach); at < Math.min(count, index + reach + 1); at++) {
    const item = itemAt(at);
    if (item?.thumbnailUrl !== undefined && previewKindOf(item) === 'image') found.push(item);
  }
  return found;
}
