import { type Connector, joinPath, nameOf } from '@sheaf/connectors';
import { type AppError, appError, isSegment } from '@sheaf/contract';

/** Names in a shared folder are not looked for deeper than this. */
const deepest = 100;

/**
 * The path in the link that a visitor's path below the shared item means. The names are taken as they are and never decoded, so that no way of writing
 * can lead out; throws ITEM_NOT_FOUND for whatever could: empty names, `.` and `..`, also between backslashes, which some servers read as slashes.
 */
export function pathIn(sharedPath: string, path: string): string {
  const below = path.replace(/^\//, '').replace(/\/$/, '');
  if (below === '') return sharedPath;
  const names = below.split('/');
  if (names.length > deepest || !names.every(isHarmless)) throw missing(names.at(-1) ?? '');
  return names.reduce(joinPath, sharedPath);
}

const isHarmless = (name: string): boolean => isSegment(name) && name.split('\\').every((part) => part !== '..' && part !== '.');

/**
 * Rejects with ITEM_NOT_FOUND when a link of the source stands anywhere on the way from the shared item down to the path: it may lead out of what is
 * shared. The shared item itself may be a link: its owner chose it.
 */
export async function refuseLinks(connector: Connector, sharedPath: string, path: string, signal: AbortSignal): Promise<void> {
  const { lstat } = connector;
  if (!lstat || path === sharedPath) return;
  const names = path.slice(sharedPath === '/' ? 1 : sharedPath.length + 1).split('/');
  const steps = names.map((_, index) => names.slice(0, index + 1).reduce(joinPath, sharedPath));
  const entries = await Promise.all(steps.map((step) => lstat(step, { signal })));
  if (entries.some(({ isLink }) => isLink)) throw missing(nameOf(path));
}

/** As an item that is not there, whatever the reason. */
const missing = (name: string): AppError => appError('ITEM_NOT_FOUND', { name });
