import { type Connector, joinPath, nameOf } from '@sheaf/connectors';
import { type AppError, type Item, appError, isSegment, limits } from '@sheaf/contract';
import { lookTogether } from './shared-looks.ts';

/** The shared item, as far as paths are concerned. */
interface Shared {
  readonly path: string;
  /** 1 for a folder, 0 for a file. */
  readonly isFolder: number;
}

/**
 * The path in the link that a visitor's path below the shared item means. The names are taken as they are and never decoded. Throws ITEM_NOT_FOUND
 * for names that are no path segments and for everything below a shared file: object stores have keys that begin with the file's key and a slash.
 */
export function pathIn(shared: Shared, path: string): string {
  const below = path.replace(/^\//, '').replace(/\/$/, '');
  if (below === '') return shared.path;
  const names = below.split('/');
  if (shared.isFolder === 0 || names.length > limits.sharedPathSegments || !names.every(isSegment)) throw missing(names.at(-1) ?? '');
  return names.reduce(joinPath, shared.path);
}

/**
 * Rejects with ITEM_NOT_FOUND when a link of the source stands anywhere on the way from the shared item down to the path: it may lead out of what is
 * shared. The shared item itself may be a link: its owner chose it. Looks at one step after the other, and at none below one that is missing.
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

/** Whether what stands at the shared path is still of the kind that was shared: an object store may have a file and a folder of one name. */
export const isShared = ({ isFolder }: Shared, { fileType }: Item): boolean => (fileType === 'FOLDER') === (isFolder === 1);

/** As an item that is not there, whatever the reason. */
export const missing = (name: string): AppError => appError('ITEM_NOT_FOUND', { name });
