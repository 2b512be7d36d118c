import { isKind } from '../../../core/error.ts';
import { isUnclear, patiently } from '../../../kit/concurrency/patience.ts';
import { DriveFile, fileFields } from './api.ts';
import type { DriveClient } from './client.ts';

/** ms for taking back what must not stay, which must not depend on the caller's signal. */
const tidyTime = 30_000;

/**
 * Deletes for good what was only just made. In a shared drive not everybody who may make files may do so: then it goes into the bin.
 * https://developers.google.com/workspace/drive/api/guides/delete
 */
export async function discard(client: DriveClient, id: string): Promise<void> {
  const signal = AbortSignal.timeout(tidyTime);
  const file = { url: `/drive/v3/files/${encodeURIComponent(id)}`, signal };
  const query = { supportsAllDrives: true };
  try {
    await patiently(signal, () => client.api.done({ ...file, method: 'DELETE', query, accepts: [404] }), isUnclear);
  } catch (error) {
    if (!isKind(error, 'forbidden')) throw error;
    await bin(client, id, signal);
  }
}

/** Puts an item into the bin. */
export function bin({ api }: DriveClient, id: string, signal: AbortSignal): Promise<void> {
  const url = `/drive/v3/files/${encodeURIComponent(id)}`;
  const query = { supportsAllDrives: true, fields: 'id' };
  return patiently(signal, () => api.done({ method: 'PATCH', url, query, json: { trashed: true }, signal }));
}

/** Takes an item out of the bin, and gives it as it is then: still in the bin, when it lies in a folder that is there. */
export function restore({ api }: DriveClient, id: string): Promise<DriveFile> {
  const signal = AbortSignal.timeout(tidyTime);
  const url = `/drive/v3/files/${encodeURIComponent(id)}`;
  const query = { supportsAllDrives: true, fields: fileFields };
  return patiently(signal, () => api.json(DriveFile, { method: 'PATCH', url, query, json: { trashed: false }, signal }), isUnclear);
}
