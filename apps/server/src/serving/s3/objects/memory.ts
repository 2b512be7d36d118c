import { hash } from 'node:crypto';
import type { Entry } from '@sheaf/connectors';
import { type OpenItem, storedAt } from '#/files/items/open-item.ts';
import type { ObjectRow, ObjectStore } from './store.ts';

/** Headers that clients keep with an object. */
export interface Meta {
  readonly contentType?: string;
  /** By name after `x-amz-meta-`. */
  readonly own: Readonly<Record<string, string>>;
}

/** An object as clients see it. */
export interface ObjectFacts {
  /** Without quotes. */
  readonly etag: string;
  readonly meta: Meta;
}

export type Facts = Partial<Pick<Entry, 'size' | 'modified' | 'etag'>>;

/** Most characters of all names and values of an object's headers: as S3 allows. */
export const longestMeta = 2048;
export const noMeta: Meta = { own: {} };

/** Whether the file is still the one that was stored, by its tag, else by its time; false for a source that reports neither. */
function isSame(row: ObjectRow, { size, modified, etag }: Facts): boolean {
  if (row.size !== null && size !== undefined && row.size !== size) return false;
  if (row.sourceTag !== null && etag !== undefined) return row.sourceTag === etag;
  return modified !== undefined && row.modified === Math.trunc(modified);
}

/** A tag for a file that S3 did not store, of its source's tag or its time and size. The number after the hyphen tells clients that it is no MD5. */
const derivedTag = ({ size, modified, etag }: Facts): string =>
  etag === undefined ? `${hex(modified)}${hex(size)}-1` : `${hash('md5', etag)}-1`;
const hex = (value = 0): string => Math.max(0, Math.trunc(value)).toString(16).padStart(16, '0');

export const factsOf = (row: ObjectRow | undefined, entry: Facts): ObjectFacts =>
  row && isSame(row, entry) ? { etag: row.etag, meta: JSON.parse(row.meta) as Meta } : { etag: derivedTag(entry), meta: noMeta };

export type ObjectMemory = ReturnType<typeof createObjectMemory>;

/** What S3 remembers of objects: their tags, times and other headers. */
export function createObjectMemory(store: ObjectStore) {
  const markOf = (item: OpenItem, path: string) => {
    const at = storedAt(item, path);
    return { linkId: at.linkId, path: `${at.path === '/' ? '' : at.path}/` };
  };
  return {
    async of(item: OpenItem, path: string, entry: Facts): Promise<ObjectFacts> {
      const at = storedAt(item, path);
      return factsOf((await store.of(at.linkId, [at.path])).get(at.path), entry);
    },

    /** What is remembered of the named entries of a folder, by name. Folders that were stored as objects have a final slash. */
    async inFolder(item: OpenItem, folder: string, entries: readonly Entry[]): Promise<Map<string, ObjectRow>> {
      const { linkId, path } = storedAt(item, folder);
      const start = path === '/' ? '/' : `${path}/`;
      const rows = await store.of(
        linkId,
        entries.map(({ name, kind }) => `${start}${name}${kind === 'folder' ? '/' : ''}`),
      );
      return new Map([...rows].map(([at, row]) => [at.slice(start.length), row]));
    },

    async keep(item: OpenItem, path: string, { size, modified, etag }: Facts, { etag: tag, meta }: ObjectFacts): Promise<void> {
      const at = storedAt(item, path);
      await store.put(at.linkId, at.path, {
        etag: tag,
        size: size ?? null,
        modified: modified === undefined ? null : Math.trunc(modified),
        sourceTag: etag ?? null,
        meta: JSON.stringify(meta),
      });
    },
    async forget(item: OpenItem, path: string): Promise<void> {
      const at = storedAt(item, path);
      await store.remove(at.linkId, at.path);
    },

    /** Remembers that a folder is an object of its own. */
    async mark(item: OpenItem, path: string, etag: string, meta: Meta): Promise<void> {
      const at = markOf(item, path);
      await store.put(at.linkId, at.path, { etag, size: 0, modified: null, sourceTag: null, meta: JSON.stringify(meta) });
    },
    async markAt(item: OpenItem, path: string): Promise<ObjectRow | undefined> {
      const at = markOf(item, path);
      return (await store.of(at.linkId, [at.path])).get(at.path);
    },
    async unmark(item: OpenItem, path: string): Promise<void> {
      const at = markOf(item, path);
      await store.remove(at.linkId, at.path);
    },
    sweep: () => store.sweep(),
  };
}
