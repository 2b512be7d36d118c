import { type Segment, segmentOf } from '../../core/segment.ts';

/** The parts of a connector path: `/a/b` gives `['a', 'b']`, `/` gives none. Throws `badName` for a part that could lead out of its folder. */
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

/** A name beside `path` for bytes that are not whole yet; hidden, and told by its prefix in listings. */
export const partialPathOf = (path: string): string => joinPath(parentOf(path), `${partialPrefix}${crypto.randomUUID().slice(0, 13)}`);
export const partialPrefix = '.sheaf-partial-';

/**
 * A name beside the place for the file that stands there, while another takes its place; told by the path of what has arrived of that one. It shows in
 * listings: what could not be put back is the user's only copy.
 */
export const keptPathOf = (partialPath: string): string =>
  partialPath.replace(/[^/]*$/, (name) => name.replace(partialPrefix, 'sheaf-kept-'));
