import { type Connector, joinPath, nameOf } from '@sheaf/connectors';
import { type AppError, type Item, appError, isSegment, limits } from '@sheaf/contract';
import { lookTogether } from './shared-looks.ts';

/** The shared item's path and kind. */
export interface Shared {
  readonly path: string;
  /** 1 for a folder, 0 for a file. */
  readonly isFolder: number;
}

/** Divides a visitor's path in a share of several items into the item's name and the rest. */
export function divided(path: string): { readonly name: string; readonly below: string } {
  const [name = '', ...rest] = path.replace(/^\//, '').split('/');
  return { name, below: rest.join('/') };
}

/**
 * Maps a visitor's path to the path in the link. Takes names literally, without decoding. Throws ITEM_NOT_FOUND for names that are no path segments,
 * for paths that are too deep or too long, and for everything below a shared file: object stores have keys that begin with the file's key and a slash.
 */
export function pathIn(shared: Shared, path: string): string {
  const below = path.replace(/^\//, '').replace(/\/$/, '');
  if (below === '') return shared.path;
  if (Buffer.byteLength(path) > limits.sharedPathBytes) throw missing('');
  const names = below.split('/');
  if (shared.isFolder === 0 || names.length > limits.sharedPathSegments || !names.every(isSegment)) throw missing(names.at(-1) ?? '');
  return names.reduce(joinPath, shared.path);
}

/**
 * Rejects with ITEM_NOT_FOUND when a symbolic link is anywhere between the shared item and the path: it may lead out of what is shared. The shared
 * item itself may be one: its owner chose it. Checks one segment after the other and stops at the first missing one.
 */
export async function refuseLinks(connector: Connector, sharedPath: string, path: string, signal: AbortSignal): Promise<void> {
  if (!connector.lstat || path === sharedPath) return;
  const names = path.slice(sharedPath === '/' ? 1 : sharedPath.length + 1).split('/');
  let step = sharedPath;
  for (const name of names) {
    step = joinPath(step, name);
    const { isLink } = await lookTogether({ connector, path: step, signal });
    if (isLink) throw missing(nameOf(path));
  }
}

/** Whether the item at the shared path still has the kind that was shared: an object store may have a file and a folder of one name. */
export const isShared = ({ isFolder }: Shared, { fileType }: Item): boolean => (fileType === 'FOLDER') === (isFolder === 1);

/** The error for an item that visitors may not see, whatever the reason. */
export const missing = (name: string): AppError => appError('ITEM_NOT_FOUND', { name });
