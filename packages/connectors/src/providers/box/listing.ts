import type { CallOptions } from '../../core/connector.ts';
import { isKind } from '../../core/error.ts';
import type { ItemSource } from '../../kit/id-tree/item-tree.ts';
import { pagesInParallel, pagesInSequence } from '../../kit/rest/paging.ts';
import { type BoxItem, type Facts, Items, type Node, fields, root, toNode } from './api.ts';
import type { BoxClient } from './client.ts';

/** Box's maximum page size. */
const pageSize = 1000;
/** Box refuses larger offsets; larger folders are paged by marker, sequentially. */
const mostOffset = 10_000;
/** Concurrent pages. */
const width = 4;

/** Box as the source of the item tree. Names are unique in a folder, ignoring case. */
export function createItemSource(client: BoxClient): ItemSource<Facts> {
  const page = (folder: string, query: Readonly<Record<string, string | number | boolean>>, signal: AbortSignal) =>
    client.api.json(Items, { method: 'GET', url: `/folders/${folder}/items`, query: { fields, limit: pageSize, ...query }, signal });

  async function* byMarker(folder: string, signal: AbortSignal): AsyncGenerator<readonly BoxItem[]> {
    yield* pagesInSequence('', { signal }, async (marker) => {
      const { entries, next_marker } = await page(folder, { usemarker: true, ...(marker !== '' && { marker }) }, signal);
      return { page: entries, ...(next_marker && { next: next_marker }) };
    });
  }

  /** Pages by offset. When the folder changes during the listing, items may move between pages: missed items are then found by marker. */
  async function* pages(folder: string, signal: AbortSignal): AsyncGenerator<readonly BoxItem[]> {
    const first = await page(folder, { offset: 0 }, signal);
    const total = first.total_count ?? first.entries.length;
    if (total > mostOffset + pageSize) return yield* byMarker(folder, signal);
    const seen = new Set<string>();
    let isSteady = true;
    const unseen = (entries: readonly BoxItem[]): BoxItem[] =>
      entries.filter(({ type, id }) => {
        const isNew = !seen.has(`${type} ${id}`);
        seen.add(`${type} ${id}`);
        return isNew;
      });
    yield unseen(first.entries);
    const more = pagesInParallel(Math.ceil(total / pageSize) - 1, width, { signal }, (index) =>
      page(folder, { offset: (index + 1) * pageSize }, signal),
    );
    for await (const { entries, total_count } of more) {
      const fresh = unseen(entries);
      if (total_count !== total || fresh.length < entries.length) isSteady = false;
      yield fresh;
    }
    if (isSteady && seen.size === total) return;
    if (total > pageSize) for await (const entries of byMarker(folder, signal)) yield unseen(entries);
  }

  async function* children({ id }: Node, { signal }: CallOptions): AsyncGenerator<readonly Node[]> {
    for await (const entries of pages(id, signal)) {
      const nodes = entries.flatMap((entry) => toNode(entry) ?? []);
      if (nodes.length > 0) yield nodes;
    }
  }

  return {
    root,
    children,
    async named(folder, name, ask) {
      try {
        const found = await client.occupant(folder.id, name, undefined, ask.signal);
        if (found?.type !== 'file' && found?.type !== 'folder') return [];
        return [await client.get(found.type, found.id, ask.signal)];
      } catch (error) {
        if (isKind(error, 'badName', 'notFound')) return [];
        // A user without upload permission or free space may still list.
        if (!isKind(error, 'forbidden', 'full')) throw error;
        const all = (await Array.fromAsync(children(folder, ask))).flat();
        return all.filter((node) => node.name === name);
      }
    },
  };
}
