import type { BoxState, Item } from './state.ts';

export const timeText = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString().replace('.000Z', '+00:00');

const mini = ({ type, id, name, etag }: Item) => ({ type, id, sequence_id: String(etag), etag: String(etag), name });

/** Returns Box's default fields of an item; with `fields`, its type, id, etag and the requested fields. */
export function toFacts(state: BoxState, item: Item, fields: string | null): Readonly<Record<string, unknown>> {
  const above = state.above(item);
  const parent = above.at(-1);
  const all: Readonly<Record<string, unknown>> = {
    ...mini(item),
    size: item.type === 'file' ? item.content.size : 0,
    path_collection: { total_count: above.length, entries: above.map(mini) },
    created_at: timeText(item.created),
    modified_at: timeText(item.modified),
    content_created_at: timeText(item.created),
    content_modified_at: timeText(item.contentModified),
    trashed_at: item.trashed === undefined ? null : timeText(item.trashed),
    parent: parent ? mini(parent) : null,
    item_status: state.isTrashed(item) ? 'trashed' : 'active',
    ...(item.type === 'file' && {
      sha1: item.content.hashes.sha1,
      file_version: { type: 'file_version', id: item.version, sha1: item.content.hashes.sha1 },
    }),
  };
  if (fields === null) return all;
  const wanted = new Set(['type', 'id', 'etag', ...fields.split(',')]);
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.has(name)));
}
