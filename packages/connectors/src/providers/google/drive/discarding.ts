import type { Bin } from '../../../core/bin.ts';
import type { CallOptions, Entry } from '../../../core/connector.ts';
import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../../kit/concurrency/retry-busy.ts';
import { parentOf } from '../../../kit/names/path.ts';
import { DriveFile, TrashList, Trashed, fileFields, trashListFields, trashedFields } from './api.ts';
import type { DriveClient } from './client.ts';
import { folderType } from './exports.ts';
import type { Places } from './places.ts';

/**
 * Permanently deletes an item just created. In a shared drive, users who may create files may lack this permission: the item then goes to
 * the trash.
 * https://developers.google.com/workspace/drive/api/guides/delete
 */
export async function discard(client: DriveClient, id: string): Promise<void> {
  const signal = AbortSignal.timeout(deadlines.aside);
  const file = { url: `/drive/v3/files/${encodeURIComponent(id)}`, signal };
  const query = { supportsAllDrives: true };
  try {
    await retryWhileBusy(signal, () => client.api.done({ ...file, method: 'DELETE', query, accepts: [404] }), isOutcomeUnknown);
  } catch (error) {
    if (!isKind(error, 'forbidden')) throw error;
    await bin(client, id, signal);
  }
}

/** Moves an item to the trash. */
export function bin({ api }: DriveClient, id: string, signal: AbortSignal): Promise<void> {
  const url = `/drive/v3/files/${encodeURIComponent(id)}`;
  const query = { supportsAllDrives: true, fields: 'id' };
  return retryWhileBusy(signal, () => api.done({ method: 'PATCH', url, query, json: { trashed: true }, signal }));
}

/** Restores an item from the trash and returns it; it is still trashed when its folder is. */
export function restore({ api }: DriveClient, id: string): Promise<DriveFile> {
  const signal = AbortSignal.timeout(deadlines.aside);
  const url = `/drive/v3/files/${encodeURIComponent(id)}`;
  const query = { supportsAllDrives: true, fields: fileFields };
  return retryWhileBusy(
    signal,
    () => api.json(DriveFile, { method: 'PATCH', url, query, json: { trashed: false }, signal }),
    isOutcomeUnknown,
  );
}

/** Page size of the trash. */
const pageSize = 200;

interface TrashDeps {
  readonly client: DriveClient;
  readonly places: Places;
  /** Returns the entry of an item just restored at the path. */
  readonly learnt: (path: string, file: DriveFile, ask: CallOptions) => Promise<Entry>;
}

/**
 * The trash of My Drive and of shared drives. Items keep their ids and their folders in it:
 * https://developers.google.com/workspace/drive/api/guides/delete
 */
export function createTrash({ client, places, learnt }: TrashDeps): Omit<Required<Bin>, 'keeps'> {
  const { api } = client;
  const addressOf = (id: string): string => `/drive/v3/files/${encodeURIComponent(id)}`;

  /** Returns the item, if it was itself trashed. */
  async function trashed(id: string, { signal }: CallOptions): Promise<Trashed> {
    const query = { supportsAllDrives: true, fields: trashedFields };
    const file = await api.json(Trashed, { method: 'GET', url: addressOf(id), query, signal });
    if (!file.explicitlyTrashed) throw new ConnectorError('notFound', 'the item is not in the trash');
    return file;
  }

  const shown = ({ name, mimeType, size }: DriveFile): Entry => ({
    name,
    kind: mimeType === folderType ? 'folder' : 'file',
    ...(size !== undefined && { size: Number(size) }),
  });

  return {
    bin: 'source',
    async discard(path, { before, signal }) {
      const { id } = await places.changeable(path, { signal });
      await before(id);
      const query = { supportsAllDrives: true, fields: 'id' };
      await api.done({ method: 'PATCH', url: addressOf(id), query, json: { trashed: true }, signal });
      places.tree.forget(path);
      return id;
    },

    binned: async (id, ask) => shown(await trashed(id, ask)),

    async restore(id, path, ask) {
      const { parents: [old] = [] } = await trashed(id, ask);
      if (path !== undefined && (await places.occupant(path, ask)).isTaken) throw new ConnectorError('alreadyExists', 'the name is taken');
      const folder = path === undefined ? undefined : (await places.parent(parentOf(path), ask)).facts.target;
      const isElsewhere = folder !== undefined && folder !== old;
      const file = await api.json(DriveFile, {
        method: 'PATCH',
        url: addressOf(id),
        query: {
          supportsAllDrives: true,
          fields: fileFields,
          ...(isElsewhere && { addParents: folder, ...(old !== undefined && { removeParents: old }) }),
        },
        json: { trashed: false },
        signal: ask.signal,
      });
      if (path === undefined) return shown(file);
      places.tree.forget(path);
      return learnt(path, file, ask);
    },

    async purge(id, ask) {
      try {
        await trashed(id, ask);
        await api.done({ method: 'DELETE', url: addressOf(id), query: { supportsAllDrives: true }, signal: ask.signal });
      } catch (error) {
        if (!isKind(error, 'notFound')) throw error;
      }
    },

    async listBin(cursor, { signal }) {
      const { files = [], nextPageToken } = await api.json(TrashList, {
        method: 'GET',
        url: '/drive/v3/files',
        query: {
          q: 'trashed = true',
          pageSize: String(pageSize),
          fields: trashListFields,
          ...(cursor !== undefined && { pageToken: cursor }),
        },
        signal,
      });
      const items = files.filter(({ explicitlyTrashed }) => explicitlyTrashed).map((file) => ({ id: file.id, ...shown(file) }));
      return { items, ...(nextPageToken !== undefined && { cursor: nextPageToken }) };
    },
  };
}
