import { type DBSchema, type IDBPDatabase, deleteDB, openDB } from 'idb';
import type { UploadTarget } from '../uploads.ts';

/** Files that were chosen together, as they survive the page. */
export interface KeptBatch {
  readonly id: string;
  /** The page that uploads them. */
  readonly page: string;
  readonly account: string;
  readonly target: UploadTarget;
  /** What was dropped, where the browser can keep it; else the user chooses it again. */
  readonly handles: readonly FileSystemHandle[];
}

/** A file of a batch that is not stored yet. */
export interface KeptFile {
  readonly batch: string;
  /** Its folders below the target and its name. */
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  /** Of an upload that has begun at the server. */
  readonly uploadId?: string;
  /** Hash of the first and the last MiB, where the browser computes hashes. */
  readonly fingerprint?: string;
}

interface Schema extends DBSchema {
  batch: { key: string; value: KeptBatch };
  file: { key: [string, string]; value: KeptFile };
}

const name = 'sheaf-uploads';
/** All files of a batch: paths are texts, and arrays sort after every text. */
const filesOf = (batch: string): IDBKeyRange => IDBKeyRange.bound([batch], [batch, []]);

let opening: Promise<IDBPDatabase<Schema>> | undefined;
const open = (): Promise<IDBPDatabase<Schema>> =>
  (opening ??= openDB<Schema>(name, 1, {
    upgrade(db) {
      db.createObjectStore('batch', { keyPath: 'id' });
      db.createObjectStore('file', { keyPath: ['batch', 'path'] });
    },
  }));

/** Uploads that have not ended, in the browser's database. Every call rejects where the browser has none, such as in some private windows. */
export const keptStore = {
  async add(batch: KeptBatch, files: readonly KeptFile[]): Promise<void> {
    const change = (await open()).transaction(['batch', 'file'], 'readwrite');
    await Promise.all([change.objectStore('batch').put(batch), ...files.map((file) => change.objectStore('file').put(file)), change.done]);
  },
  /** Changes a file that is still kept. */
  async note(batch: string, path: string, by: Pick<KeptFile, 'uploadId' | 'fingerprint'>): Promise<void> {
    const change = (await open()).transaction('file', 'readwrite');
    const file = await change.store.get([batch, path]);
    if (file) await change.store.put({ ...file, ...by });
    await change.done;
  },
  /** Forgets files, and the batch with the last one. */
  async drop(batch: string, paths: readonly string[]): Promise<void> {
    const change = (await open()).transaction(['batch', 'file'], 'readwrite');
    const files = change.objectStore('file');
    await Promise.all(paths.map((path) => files.delete([batch, path])));
    if ((await files.getAllKeys(filesOf(batch), 1)).length === 0) await change.objectStore('batch').delete(batch);
    await change.done;
  },
  batches: async (): Promise<KeptBatch[]> => (await open()).getAll('batch'),
  files: async (batch: string): Promise<KeptFile[]> => (await open()).getAll('file', filesOf(batch)),
  /** Forgets everything, as at sign-out: names of files are nobody else's business. */
  async clear(): Promise<void> {
    (await opening)?.close();
    opening = undefined;
    await deleteDB(name);
  },
};
