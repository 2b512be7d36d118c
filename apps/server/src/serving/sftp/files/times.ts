import type { Entry } from '@sheaf/connectors';
import type { OpenItem } from '#/files/items/open-item.ts';
import { type ObjectMemory, factsOf } from '#/serving/s3/objects/memory.ts';

const timeOf = (own: Readonly<Record<string, string>>): number | undefined => {
  const told = Number(own['mtime']);
  return own['mtime'] === undefined || !Number.isFinite(told) ? undefined : told;
};
const withTime = (entry: Entry, modified: number | undefined): Entry => (modified === undefined ? entry : { ...entry, modified });

/**
 * Times that clients set after writing a file. Storages take a time only with the bytes, so that it is kept here, as long as the file stays what
 * it is; S3 shows the same time.
 */
export function createTimes(memory: ObjectMemory) {
  return {
    async keep(item: OpenItem, path: string, entry: Entry, modified: number): Promise<void> {
      if (entry.modified !== undefined && Math.trunc(entry.modified) === modified) return;
      const { etag, meta } = await memory.of(item, path, entry);
      await memory.keep(item, path, entry, { etag, meta: { ...meta, own: { ...meta.own, mtime: String(modified) } } });
    },
    async shown(item: OpenItem, path: string, entry: Entry): Promise<Entry> {
      if (entry.kind === 'folder') return entry;
      const { meta } = await memory.of(item, path, entry);
      return withTime(entry, timeOf(meta.own));
    },
    async shownAll(item: OpenItem, folder: string, entries: readonly Entry[]): Promise<readonly Entry[]> {
      const files = entries.filter(({ kind }) => kind === 'file');
      if (files.length === 0) return entries;
      const rows = await memory.inFolder(item, folder, files);
      return entries.map((entry) =>
        withTime(entry, entry.kind === 'file' ? timeOf(factsOf(rows.get(entry.name), entry).meta.own) : undefined),
      );
    },
  };
}
