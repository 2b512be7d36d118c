import { type Segment, isTemporary, partialPrefix, partsPrefix, segmentOf } from '../../core/segment.ts';

export { isTemporary, partialPrefix, partsPrefix };

/** The segments of a connector path: `/a/b` gives `['a', 'b']`, `/` gives none. Throws `badName` for a segment that could lead out of its folder. */
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

/** Name of a temporary file in the folder of `path`; hidden in listings, which recognise its prefix. */
export const partialPathOf = (path: string): string => joinPath(parentOf(path), `${partialPrefix}${crypto.randomUUID().slice(0, 13)}`);

/**
 * Name for an old file that is set aside while another replaces it; derived from the path of the new one. Visible in listings: if it could not be put
 * back, it is the user's only copy.
 */
export const keptPathOf = (partialPath: string): string =>
  partialPath.replace(/[^/]*$/, (name) => name.replace(partialPrefix, 'sheaf-kept-'));
