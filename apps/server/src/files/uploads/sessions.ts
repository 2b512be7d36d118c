import { joinPath, resumableUploadsOf } from '@sheaf/connectors';
import { AppError, appError } from '@sheaf/contract';
import type { OpenItem } from '#/files/items/open-item.ts';
import type { Vault } from '#/secrets/vault.ts';
import { type StoredParts, hashFor } from './in-parts.ts';
import type { UploadRow } from './store.ts';

/** Smaller files are stored whole: sending one again costs less than the requests of an upload in parts. */
const inPartsFrom = 16 * 1024 * 1024;

/** An upload in parts that goes on. */
export interface Resumed {
  readonly row: UploadRow;
  readonly stored: StoredParts;
  readonly session: string;
  /** Bytes from the beginning that the storage has although this was not stored. */
  readonly ahead: number;
}

/** What changes in the row of an upload when it begins at the storage. */
type Begun = Pick<UploadRow, 'session' | 'position' | 'expiresAt'> & { readonly parts: string };

export const isRow = (error: unknown, ...names: readonly AppError['messageCode'][]): boolean =>
  error instanceof AppError && names.includes(error.messageCode);
export const partsOf = ({ parts }: Pick<UploadRow, 'parts'>): StoredParts | undefined =>
  parts === null ? undefined : (JSON.parse(parts) as StoredParts);
export const secondsOf = ({ modified }: Pick<UploadRow, 'modified'>) =>
  modified === null ? {} : { modified: Math.trunc(modified / 1000) };
export const ifExistsOf = ({ conflict }: Pick<UploadRow, 'conflict'>): 'fail' | 'replace' => (conflict === 'replace' ? 'replace' : 'fail');
const sealedAt = (id: string) => ({ table: 'upload', recordId: id, field: 'session' });

/** The sessions of uploads at storages, sealed in their rows. */
export function createSessions(vault: Vault) {
  return {
    /** Begins the upload at the storage; undefined where it cannot continue one, or the file is small. Call `kept` when the change is stored. */
    async begin(folder: OpenItem, row: UploadRow, signal: AbortSignal): Promise<{ change: Begun; kept(): void } | undefined> {
      const uploads = row.size < inPartsFrom ? undefined : resumableUploadsOf(folder.connector);
      if (!uploads) return undefined;
      const path = joinPath(folder.path, row.name);
      try {
        const ask = { signal, size: row.size, ifExists: ifExistsOf(row), ...secondsOf(row) };
        const { session, partSize, parallel, needs = [], expires, kept } = await uploads.beginUpload(path, ask);
        const name = hashFor(folder.connector, needs, parallel);
        const stored: StoredParts = { path, partSize, parallel, parts: [], ...(name && { hash: { name } }) };
        const expiresAt = Math.min(row.expiresAt, expires === undefined ? Infinity : expires * 1000);
        const change = { session: vault.seal(sealedAt(row.id), session), parts: JSON.stringify(stored), position: 0, expiresAt };
        return { change, kept };
      } catch (error) {
        if (isRow(error, 'SOURCE_CANNOT')) return undefined;
        throw error;
      }
    },

    /** Asks the storage what it has; `lost` where that is less than can be continued, `done` where it has made the file meanwhile. */
    async resume(folder: OpenItem, row: UploadRow, stored: StoredParts, signal: AbortSignal): Promise<Resumed | 'lost' | 'done'> {
      const uploads = resumableUploadsOf(folder.connector);
      if (!uploads || row.session === null) throw appError('TRANSFER_GONE', {});
      const session = vault.open(sealedAt(row.id), row.session);
      try {
        const state = await uploads.uploadState(stored.path, { signal, session });
        if (!('offset' in state)) return { row, stored: { ...stored, parts: state.parts }, session, ahead: 0 };
        const ahead = state.offset;
        if (ahead >= row.position) return { row, stored, session, ahead };
        // The storage is certain of less than it has confirmed: its last part may be incomplete after a crash.
        const { hash, ...rest } = stored;
        if (!hash) return { row: { ...row, position: ahead }, stored, session, ahead };
        const { before } = hash;
        if (before && before.position <= ahead)
          return {
            row: { ...row, position: before.position },
            stored: { ...rest, hash: { name: hash.name, ...(before.state !== undefined && { state: before.state }) } },
            session,
            ahead,
          };
        await uploads.abandonUpload(stored.path, { signal, session });
        return 'lost';
      } catch (error) {
        if (!isRow(error, 'ITEM_NOT_FOUND')) throw error;
        return (await isMade(folder, row, stored, signal)) ? 'done' : 'lost';
      }
    },

    /** Removes what the storage has of an unfinished upload. */
    async abandon(folder: OpenItem, row: UploadRow, signal: AbortSignal): Promise<void> {
      const stored = partsOf(row);
      if (!stored || row.session === null || row.doneAt !== null) return;
      const session = vault.open(sealedAt(row.id), row.session);
      await resumableUploadsOf(folder.connector)?.abandonUpload(stored.path, { signal, session });
    },
  };
}
export type Sessions = ReturnType<typeof createSessions>;

/** Whether an upload that the storage no longer knows has become the file: all bytes were confirmed, and a file of that size is there. */
async function isMade(folder: OpenItem, row: UploadRow, { path }: StoredParts, signal: AbortSignal): Promise<boolean> {
  if (row.position < row.size) return false;
  try {
    return (await folder.connector.stat(path, { signal })).size === row.size;
  } catch (error) {
    if (isRow(error, 'ITEM_NOT_FOUND')) return false;
    throw error;
  }
}
