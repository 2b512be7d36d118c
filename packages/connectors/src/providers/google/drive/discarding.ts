import { deadlines } from '../../../core/deadlines.ts';
import { isKind } from '../../../core/error.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../../kit/concurrency/retry-busy.ts';
import { DriveFile, fileFields } from './api.ts';
import type { DriveClient } from './client.ts';

/**
 * Permanently deletes an item just created. In a shared drive, users who may create files may lack this permission: the item then goes to the trash.
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
