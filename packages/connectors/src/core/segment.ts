import { isSegment } from '@sheaf/contract';
import { ConnectorError } from './error.ts';

export { isSegment, splitExtension } from '@sheaf/contract';

declare const checked: unique symbol;

/** A path segment checked by {@link segmentOf}. Encoders accept nothing else, so that no name reaches a server unchecked. */
export type Segment = string & { readonly [checked]: true };

/** Throws `badName` unless the name is a single path segment that cannot lead out of its folder. */
export function segmentOf(name: string): Segment {
  if (!isChecked(name)) throw new ConnectorError('badName', 'the name is no single path segment');
  return name;
}

const isChecked = (name: string): name is Segment => isSegment(name);

/** Whether each part of a connector path is a segment; `/` has no parts. */
export const isPath = (path: string): boolean => path === '/' || (path.startsWith('/') && path.slice(1).split('/').every(isSegment));

/** Beginning of the names of temporary files that uploads make at a source. Nobody else may use it. */
export const partialPrefix = '.sheaf-partial-';

/** Whether a name, or the last one of a path, is that of an upload's temporary file. */
export const isTemporary = (path: string): boolean => path.slice(path.lastIndexOf('/') + 1).startsWith(partialPrefix);
