import { nameOf, parentOf } from '@sheaf/connectors';
import { AppError, linkUriOf } from '@sheaf/contract';
import { type OpenItem, storedAt } from '#/files/items/open-item.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { Window } from '#/serving/programs/windows.ts';
import { S3Error } from '../errors.ts';

/** Milliseconds for which a folder's existence is cached: programs store many objects in one. */
const seenFor = 30_000;
const mostSeen = 5000;

export const isCode = (error: unknown, ...codes: AppError['messageCode'][]): boolean =>
  error instanceof AppError && codes.includes(error.messageCode);

export type Folders = ReturnType<typeof createFolders>;

/** Makes the folders that keys name: S3 has none, and clients do not make them. */
export function createFolders(now: () => number, listings: Pick<Listings, 'expect'>) {
  const seen = new Map<string, number>();
  const keyOf = (item: OpenItem, path: string): string => JSON.stringify(storedAt(item, path));

  function note(key: string): void {
    if (seen.size >= mostSeen) seen.clear();
    seen.set(key, now() + seenFor);
  }

  async function isThere({ connector }: OpenItem, path: string, signal: AbortSignal): Promise<boolean> {
    try {
      const { kind } = await connector.stat(path, { signal });
      if (kind !== 'folder') throw new S3Error('OperationAborted', 'A file has the name of a folder in the key.');
      return true;
    } catch (error) {
      if (isCode(error, 'ITEM_NOT_FOUND')) return false;
      if (isCode(error, 'NOT_A_FOLDER')) throw new S3Error('OperationAborted', 'A file has the name of a folder in the key.', error);
      throw error;
    }
  }

  async function make(window: Window, item: OpenItem, path: string, signal: AbortSignal): Promise<void> {
    // A program that is limited to a folder may make none above it.
    if (path === '/' || window.reach(item.userLinkId, path) !== 'inside') return;
    const key = keyOf(item, path);
    const until = seen.get(key);
    if (until !== undefined && until > now()) return;
    if (await isThere(item, path, signal)) {
      note(key);
      return;
    }
    await make(window, item, parentOf(path), signal);
    try {
      const parentLinkUri = linkUriOf(item.userLinkId, parentOf(path));
      await window.content.addFolder(item.userId, { parentLinkUri, folderName: nameOf(path), conflict: 'fail' }, signal);
      listings.expect({ userId: item.userId, linkId: item.userLinkId, connector: item.connector, path });
    } catch (error) {
      // Made by another request meanwhile, unless it is a file.
      if (!isCode(error, 'NAME_TAKEN') || !(await isThere(item, path, signal))) throw error;
    }
    note(key);
  }

  return {
    make,
    /** Drops the cached existence after a failed write: the folder may have been deleted. */
    forget(item: OpenItem, path: string): void {
      for (let at = path; at !== '/'; at = parentOf(at)) seen.delete(keyOf(item, at));
    },
  };
}
