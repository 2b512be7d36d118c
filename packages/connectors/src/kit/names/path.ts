import { type Segment, isTemporary, partialPrefix, partsPrefix, segmentOf } from '../../core/segment.ts';

export { isTemporary, partialPrefix, partsPrefix };

/**
 * Splits a connector path into segments: `/a/b` gives `['a', 'b']`, `/` gives none. Throws `badName` for a segment that could lead out of
 * its folder.
 */
export const segmentsOf = (path: string): Segment[] =>
  path
    .split('/')
    .filter((part) => part !== '')
    .map(segmentOf);

export const joinPath = (folder: string, name: string): string => (folder === '/' ? `/${name}` : `${folder}/${name}`);

export function parentOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut <= 0 ? '/' : path.slice(0, cut);
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the path of a temporary file in the folder of `path`; listings hide it by its prefix. */
export const partialPathOf = (path: string): string => joinPath(parentOf(path), `${partialPrefix}${crypto.randomUUID().slice(0, 13)}`);

/**
 * Returns the path to which an old file is moved while another replaces it; derived from the path of the new one. Visible in listings: if
 * the file could not be moved back, it is the user's only copy.
 */
export const keptPathOf = (partialPath: string): string =>
  partialPath.replace(/[^/]*$/, (name) => name.replace(partialPrefix, 'sheaf-kept-'));
